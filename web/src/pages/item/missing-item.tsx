import type { Nft } from '@nifty/api/catalog/public'
import { paths } from '../../api/paths.ts'
import { useSession } from '../../api/session.ts'
import type { ItemAddress } from '../../items/use-item.ts'
import { useHiddenItems, useSetHidden } from '../../items/visibility/visibility.ts'
import { MissingPage } from '../../layout/page/missing-page.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.tsx'
import { useBusy } from '../../ui/use-busy.ts'

type Props = { address: ItemAddress; onRetry: () => void }

/** In place of an item that was not found. Its owner, who may have hidden it, can show it again. */
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
  return hidden ? <Hidden item={hidden} onShown={onRetry} /> : <Missing onRetry={onRetry} />
}

// The title is the specification's.
const title = 'NFT not found'

const Missing = ({ onRetry }: { onRetry: () => void }) => (
  <MissingPage title={title} text="It may have moved, or the store is not available right now." onRetry={onRetry}>
    <LinkButton to={paths.explore}>Explore works</LinkButton>
  </MissingPage>
)

function Hidden({ item, onShown }: { item: Nft; onShown: () => void }) {
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
