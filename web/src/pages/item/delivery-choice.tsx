import type { DeliverTo } from '@nifty/api/payments/public'
import { settingsUrl } from '../../api/paths.ts'
import { useMovableFrom } from '../../custody/use-movable-from.ts'
import { Link } from '../../ui/link.tsx'
import { shorten } from '../../ui/shorten.ts'

type Props = {
  userId: string
  /** The buyer's linked wallet. */
  wallet: string | null
  deliverTo: DeliverTo
  onChange: (deliverTo: DeliverTo) => void
}

/** Where the work goes: the linked wallet or the store's custody. With a wallet the buyer can switch. */
export function DeliveryChoice({ userId, wallet, deliverTo, onChange }: Props) {
  const movableFrom = useMovableFrom()
  const isCustody = deliverTo === 'custody'
  return (
    <li>
      {isCustody || !wallet ? (
        `Kept here for you, free of charge. You can move it to a wallet ${movableFrom}, at no cost.`
      ) : (
        <>
          Delivered to your wallet <span className="tabular">{shorten(wallet, 6, 6)}</span>.{' '}
          <Link to={settingsUrl(userId)}>Change</Link> ·
        </>
      )}{' '}
      {wallet && (
        <button type="button" className="panel__switch" onClick={() => onChange(isCustody ? 'wallet' : 'custody')}>
          {isCustody ? 'Deliver it to my wallet instead' : 'Keep it here instead'}
        </button>
      )}
    </li>
  )
}
