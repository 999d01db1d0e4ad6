import type { Order } from '@nifty/api/payments/public'
import { useState } from 'react'
import { PaymentLink, useOpenPayment } from '../../orders/open-payment.tsx'
import { cancelOrder } from '../../orders/use-orders.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/state.tsx'
import { useBusy } from '../../ui/use-busy.ts'

/** For an offer or a bid on its payment page. `onChanged` gets the order of the response, undefined after a refusal. */
export function UnpaidActions({ order, onChanged }: { order: Order; onChanged: (order?: Order) => void }) {
  const url = useOpenPayment(order)
  const [busy, run] = useBusy()
  const [note, setNote] = useState('')
  const cancel = () =>
    run(async () => {
      const outcome = await cancelOrder(order._id)
      setNote(outcome.ok ? '' : outcome.error.message)
      onChanged(outcome.ok ? outcome.data : undefined)
    })
  return (
    <>
      <div className="offer__actions">
        {url && <PaymentLink url={url} />}
        <Button variant="secondary" busy={busy} busyLabel="One moment..." onClick={() => void cancel()}>
          Cancel
        </Button>
      </div>
      {note && <Notice>{note}</Notice>}
    </>
  )
}
