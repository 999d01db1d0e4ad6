import type { HiddenNft } from '@nifty/api/catalog/visibility'
import type { ReactNode } from 'react'
import { paths } from '../../api/paths.ts'
import { Artwork } from '../../items/artwork.tsx'
import { useHiddenItems, useSetHidden } from '../../items/visibility/visibility.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/state.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'

/** The works that the creator or an operator hides from the public pages. */
export function HiddenItems() {
  const { items, error, reload } = useHiddenItems()
  if (items.length === 0 && !error) return null
  return (
    <section aria-labelledby="hidden-works">
      <h2 id="hidden-works">Hidden works</h2>
      {items.length === 0 && (
        <Empty title="Your hidden works could not be loaded.">
          <Button variant="secondary" onClick={reload}>
            Try again
          </Button>
        </Empty>
      )}
      <ul className="studio__works">
        {items.map((item) => (
          <HiddenItem key={item._id} item={item}>
            {item.hiddenBy === 'operator' ? <ByOperator item={item} /> : <ShowAgain item={item} />}
          </HiddenItem>
        ))}
      </ul>
    </section>
  )
}

const HiddenItem = ({ item, children }: { item: HiddenNft; children: ReactNode }) => (
  <li className="studio__work">
    <span className="studio__thumbnail" aria-hidden="true">
      <Artwork item={item} sizes="64px" />
    </span>
    <span className="studio__name" dir="auto">
      {item.name}
    </span>
    {children}
  </li>
)

const ByOperator = ({ item }: { item: HiddenNft }) => (
  <>
    <span className="studio__price">Hidden by the store{item.hiddenReason && <bdi>: {item.hiddenReason}</bdi>}</span>
    <LinkButton to={paths.contact} variant="secondary" aria-label={`Write to us about ${item.name}`}>
      Write to us
    </LinkButton>
  </>
)

function ShowAgain({ item }: { item: HiddenNft }) {
  const setHidden = useSetHidden()
  const [busy, run] = useBusy()
  const show = () =>
    run(async () => {
      const outcome = await setHidden(item, false)
      if (outcome.ok) toast.success(`"${item.name}" is on the public pages again.`)
      else toast.error(outcome.error.message)
    })

  return (
    <>
      <span className="studio__price">Only you see it</span>
      <Button
        variant="secondary"
        busy={busy}
        busyLabel="Showing..."
        onClick={() => void show()}
        aria-label={`Show ${item.name} again`}
      >
        Show again
      </Button>
    </>
  )
}
