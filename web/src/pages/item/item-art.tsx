import './item-art.css'
import { Suspense, useState } from 'react'
import { Artwork, type ItemPreview, ratioOf } from '../../items/artwork.tsx'
import { animationOf, artSizes } from '../../items/item-image.ts'
import { IconButton } from '../../ui/button.tsx'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Notice } from '../../ui/state.tsx'
import { useMedia } from '../../ui/use-media.ts'

const ItemViewer = lazyComponent(() => import('./viewer/item-viewer.tsx'), 'ItemViewer')

const failed = 'The full screen view could not be loaded. Please try again.'

/** The large artwork with a glow in its dominant colour, and its view on the whole screen. */
export function ItemArt({ item }: { item: ItemPreview }) {
  const [open, setOpen] = useState(false)
  const [presses, setPresses] = useState(0)
  const wantsStill = useMedia('(prefers-reduced-motion: reduce)')
  const [choice, setChoice] = useState<'play' | 'pause'>()
  const moves = choice ? choice === 'play' : !wantsStill
  const show = () => {
    setPresses(presses + 1)
    setOpen(true)
  }
  return (
    <div className="item-art" style={{ '--ratio': ratioOf(item), '--glow': item.color }}>
      <div className="item-art__frame">
        <Artwork item={item} sizes={artSizes} eager transition moves={moves} />
      </div>
      <p className="item-art__below">
        {animationOf(item) && (
          <IconButton
            label={moves ? 'Pause the animation' : 'Play the animation'}
            onClick={() => setChoice(moves ? 'pause' : 'play')}
          >
            <Icon name={moves ? 'pause' : 'play'} />
          </IconButton>
        )}
        <IconButton label="View full screen" onClick={show}>
          <Icon name="expand" />
        </IconButton>
      </p>
      {open && (
        <ErrorBoundary at={String(presses)} fallback={<Notice kind="error">{failed}</Notice>}>
          <Suspense>
            <ItemViewer item={item} moves={moves} onClose={() => setOpen(false)} />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  )
}
