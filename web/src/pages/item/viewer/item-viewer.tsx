import './item-viewer.css'
import { isSmallWork } from '@nifty/api/work-image'
import { useEffect, useRef } from 'react'
import type { ItemPreview } from '../../../items/artwork.tsx'
import { animationOf, artSizes, imageOf, largestImageOf } from '../../../items/item-image.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useZoom } from './use-zoom.ts'

type Props = { item: ItemPreview /** An animated work moves. */; moves: boolean; onClose: () => void }

/** The work on the whole screen, with zoom and pan. Escape closes it, and the focus returns to its button. */
export function ItemViewer({ item, moves, onClose }: Props) {
  const animation = moves ? animationOf(item) : undefined
  const dialog = useRef<HTMLDialogElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const { view, zoomIn, zoomOut, press, handlers } = useZoom(stage, (item.width || 4) / (item.height || 5))

  useEffect(() => {
    const element = dialog.current!
    element.showModal()
    // Not the first button: a key meant for the work could press it.
    element.focus()
    return () => element.close()
  }, [])

  return (
    <dialog
      ref={dialog}
      className="item-viewer"
      tabIndex={-1}
      aria-label={`${item.name}, full screen`}
      onClose={onClose}
      onKeyDown={(event) => press(event.key) && event.preventDefault()}
    >
      <div ref={stage} className="item-viewer__stage" data-enlarged={view.scale > 1} {...handlers}>
        <div
          className="item-viewer__canvas"
          data-small={isSmallWork(item)}
          style={{ transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})` }}
        >
          {/* The picture of the page, until the large one is there. */}
          <img {...imageOf(item)} sizes={artSizes} alt="" draggable={false} />
          <img {...(animation ?? { src: largestImageOf(item) })} sizes="100vw" alt={item.name} draggable={false} />
        </div>
      </div>
      <div className="item-viewer__bar">
        <p className="item-viewer__scale tabular" role="status">
          <span className="visually-hidden">Zoom </span>
          {Math.round(view.scale * 100)} %
        </p>
        <IconButton label="Zoom out" onClick={zoomOut}>
          <Icon name="minus" />
        </IconButton>
        <IconButton label="Zoom in" onClick={zoomIn}>
          <Icon name="plus" />
        </IconButton>
        <IconButton label="Close" onClick={onClose}>
          <Icon name="close" />
        </IconButton>
      </div>
    </dialog>
  )
}
