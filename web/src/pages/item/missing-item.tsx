import type { HiddenNft } from '@nifty/api/catalog/visibility'
import { paths } from '../../api/paths.ts'
import { useSession } from '../../api/session.ts'
import type { ItemAddress } from '../../items/use-item.ts'
import { useHiddenItems, useSetHidden } from '../../items/visibility/visibility.ts'
import { MissingPage } from '../../layout/page/missing-page.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'

type Props = { address: ItemAddress; onRetry: () => void }

/** In place of an item that was not found. Its owner reads who hid it, and can show it again unless
 * an operator did. */
export function MissingItem(props: Props) {
  const { token } = useSession()
  return token ? <MissingOrHidden {...props} /> : <Missing onRetry={props.onRetry} />
}

function MissingOrHidden({ address, onRetry }: Props) {
  const { items } = useHiddenItems()
  const hidden = items.find(
    ({ contract, identifier }) =>
      identifier === address.identifier && contract.toLowerCase() === address.contract.toLowerCase(),
  )
  if (!hidden) return <Missing onRetry={onRetry} />
  return hidden.hiddenBy === 'operator' ? (
    <HiddenByOperator item={hidden} />
  ) : (
    <Hidden item={hidden} onShown={onRetry} />
  )
}

// The title is the specification's.
const title = 'NFT not found'

const Missing = ({ onRetry }: { onRetry: () => void }) => (
  <MissingPage title={title} text="It may have moved, or the store is not available right now." onRetry={onRetry}>
    <LinkButton to={paths.explore}>Explore works</LinkButton>
  </MissingPage>
)

const HiddenByOperator = ({ item: { name, hiddenReason } }: { item: HiddenNft }) => (
  <MissingPage
    title={title}
    text={`The store hid your work “${name}”${hiddenReason ? `: ${hiddenReason}` : ''}. It stays yours.`}
  >
    <LinkButton to={paths.contact}>Write to us</LinkButton>
    <LinkButton to={paths.studio} variant="secondary">
      Your studio
    </LinkButton>
  </MissingPage>
)

function Hidden({ item, onShown }: { item: HiddenNft; onShown: () => void }) {
  const setHidden = useSetHidden()
  const [busy, run] = useBusy()
  const show = () =>
    run(async () => {
      const outcome = await setHidden(item, false)
      if (outcome.ok) onShown()
      else toast.error(outcome.error.message)
    })
  return (
    <MissingPage title={title} text={`You hid “${item.name}”: nobody sees it in the store.`}>
      <Button busy={busy} busyLabel="Showing..." onClick={() => void show()}>
        Show it again
      </Button>
      <LinkButton to={paths.studio} variant="secondary">
        Your studio
      </LinkButton>
    </MissingPage>
  )
}
