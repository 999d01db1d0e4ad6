import type { Order } from '@nifty/api/payments/public'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Price } from '../ui/price.tsx'
import { toast } from '../ui/toast.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { cancelOrder } from './use-orders.ts'

type Props = {
  order: Order
  /** The order of the response; undefined after a refusal: it is another one then. */
  onChanged: (order?: Order) => void
}

/** Withdraws an offer whose card is held, once the buyer has confirmed it. */
export function WithdrawOffer({ order, onChanged }: Props) {
  const [open, setOpen] = useState(false)
  const [busy, run] = useBusy()
  const withdraw = () =>
    run(async () => {
      const outcome = await cancelOrder(order._id)
      setOpen(false)
      // Accepted meanwhile, and so the button is gone.
      if (!outcome.ok) toast.error(outcome.error.message)
      onChanged(outcome.ok ? outcome.data : undefined)
    })
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Withdraw
      </Button>
      <Dialog open={open} title="Withdraw your offer?" onClose={() => setOpen(false)}>
        <p>
          The owner can no longer accept it, and the hold of <Price euros={order.total} /> on your card is given back.
        </p>
        <div className="dialog__actions">
          <Button variant="danger" busy={busy} busyLabel="Withdrawing..." onClick={() => void withdraw()}>
            Withdraw the offer
          </Button>
          <Button variant="secondary" onClick={() => setOpen(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </>
  )
}
