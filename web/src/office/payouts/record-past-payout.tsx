import { recordPayout, type UnpaidShares } from '@nifty/api/payments/ops-money'
import { plural } from '@nifty/api/plural'
import { formatPrice } from '@nifty/api/price'
import { useState } from 'react'
import { parseAmount } from '../../ui/forms/amount.ts'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { Checkbox } from '../../ui/forms/field.tsx'
import { Action, Effects } from '../action/action.tsx'
import { request, StoreError } from '../store/request.ts'

type Props = { userId: string } & Pick<UnpaidShares, 'shares'>

/** A payout that a restored database lost, with the shares that it paid. */
export const RecordPastPayout = ({ userId, shares }: Props) => (
  <Action
    label="Record a past payout…"
    title="Record the past payout"
    effects={
      <Effects
        lines={[
          'The shares that you tick count as paid by a payout that a restored database lost',
          'The amount is what they were booked with, also if they were refunded or disputed since',
          'The store transfers nothing',
        ]}
      />
    }
    run={async ({ reason, id, text, checked }) => {
      const lineIds = shares.map(({ lineId }) => lineId).filter((lineId) => checked(lineId))
      // Without lines it would record what is due now.
      if (lineIds.length === 0) throw new StoreError(400, { message: 'Tick the shares that it paid.' })
      const typed = parseAmount(text('amount'))
      if ('problem' in typed) throw new StoreError(400, { message: typed.problem })
      const { amount } = await request('payments', recordPayout, {
        body: { payoutId: id, userId, amount: typed.euros, lineIds, reason },
      })
      return `Recorded: ${formatPrice(amount)} paid for ${plural(lineIds.length, 'share')}.`
    }}
  >
    <fieldset>
      <legend>Shares that it paid</legend>
      {shares.map(({ lineId, name, amount, status }) => (
        <Checkbox key={lineId} name={lineId} label={`${name}, ${formatPrice(amount)}, ${status.replace('_', ' ')}`} />
      ))}
    </fieldset>
    <PaidAmount />
  </Action>
)

const range = { min: 0.01, max: 10_000_000 }

function PaidAmount() {
  const [amount, setAmount] = useState('')
  return <AmountField label="Amount in euros" name="amount" required range={range} text={amount} onText={setAmount} />
}
