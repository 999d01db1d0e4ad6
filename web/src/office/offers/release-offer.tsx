import { cancelOrder } from '@nifty/api/payments/ops'
import { formatPrice } from '@nifty/api/price'
import { Action, Effects } from '../action/action.tsx'
import { request } from '../store/request.ts'

type Props = { orderId: string; kind?: 'offer' | 'bid'; name: string; price: number }

const effectsOf = {
  offer: [
    'Its buyer gets a mail, and may make another offer',
    'If its owner has accepted it meanwhile, the sale is cancelled unless a block has the delivery',
  ],
  bid: [
    'Its bidder gets a mail, and may bid again',
    'If it leads, the auction is open again at its opening price, for an hour at least',
    'If it has won meanwhile, the sale is cancelled unless a block has the delivery',
  ],
}

/** Ends an offer that its owner has not accepted, or a bid that has not won, and gives its hold back. */
export const ReleaseOffer = ({ orderId, kind = 'offer', name, price }: Props) => (
  <Action
    label="Release…"
    title={`Release the ${kind}`}
    variant="danger"
    effects={
      <Effects
        lines={[
          `The bank gives back the ${formatPrice(price)} that it holds for “${name}”; what was captured by hand stays captured until you compare with the card processor`,
          ...effectsOf[kind],
        ]}
      />
    }
    run={async ({ reason }) => {
      const { state } = await request('payments', cancelOrder, { body: { orderId, reason } })
      return state === 'released'
        ? `The ${kind} is released.`
        : `The ${kind} is still ${state.replaceAll('_', ' ')}: the release is repeated until payments has done it.`
    }}
  />
)
