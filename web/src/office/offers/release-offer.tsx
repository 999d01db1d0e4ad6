import { cancelOrder } from '@nifty/api/payments/ops'
import { formatPrice } from '@nifty/api/price'
import { Action, Effects } from '../action/action.tsx'
import { request } from '../store/request.ts'

type Props = { orderId: string; name: string; price: number }

/** Ends an offer that its owner has not accepted, and gives its hold back. */
export const ReleaseOffer = ({ orderId, name, price }: Props) => (
  <Action
    label="Release…"
    title="Release the offer"
    variant="danger"
    effects={
      <Effects
        lines={[
          `The ${formatPrice(price)} that a bank holds for “${name}” are given back, and nothing is charged`,
          'Its buyer gets a mail, and may make another offer',
          'If its owner has accepted it meanwhile, the sale is cancelled unless a block has the delivery',
        ]}
      />
    }
    run={async ({ reason }) => {
      const { state } = await request('payments', cancelOrder, { body: { orderId, reason } })
      return state === 'released'
        ? 'The offer is released.'
        : `The offer is still ${state.replaceAll('_', ' ')}: the release is repeated until payments has done it.`
    }}
  />
)
