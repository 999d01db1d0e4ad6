import type { CurrentUser } from '@nifty/api/auth/account'
import type { DeliverTo } from '@nifty/api/payments/public'
import { formatPrice, priceRange } from '@nifty/api/price'
import { type ReactNode, useState } from 'react'
import type { Outcome } from '../../api/api.ts'
import { useConfig } from '../../api/use-config.ts'
import { leaveForPayment } from '../../orders/leave-for-payment.ts'
import { isPaymentPage } from '../../orders/payment-page.ts'
import { Button } from '../../ui/button.tsx'
import { amountWithin } from '../../ui/forms/amount.ts'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Notice } from '../../ui/state.tsx'
import { amountProblems } from './amount-problems.ts'
import { DeliveryChoice } from './delivery-choice.tsx'
import { TermsBox } from './terms-box.tsx'
import type { useChoices } from './use-choices.ts'
import { useReloadConfig } from './use-reload-config.ts'

/** What an offer and a bid have in common. */
export type AmountFormProps = {
  user: CurrentUser
  choices: ReturnType<typeof useChoices>
  /** There may be an order, or the work is another than it was. */
  onChanged: () => void
  onLoggedOut: () => void
}

/** `euros` is undefined while no valid amount is entered; `fields` has the errors beside fields. */
type Entered = { euros: number | undefined; fields: Record<string, string | undefined> }
type Terms = { termsVersion: string | undefined; deliverTo: DeliverTo }

type Props = AmountFormProps & {
  kind: 'offer' | 'bid'
  label: string
  /** In euros. */
  minimum: number
  /** What the least amount is made of. */
  least?: string
  /** The amount that the form begins with, in euros. */
  start?: number
  place: (euros: number, terms: Terms) => Promise<Outcome<{ url: string }>>
  /** Between the amount and the notes. */
  options?: (entered: Entered) => ReactNode
  /** Items of a list. `held`: what the bank holds, as text. */
  notes: (held: string) => ReactNode
  /** Above the button. */
  warning?: (entered: Entered) => ReactNode
  /** The text of the button. */
  action: (euros: number | undefined) => string
}

/** Amount, recipient and terms of an offer or a bid; leads to the payment page, on which the card is held. */
export function AmountForm({ kind, label, minimum, least, start, user, choices, place, ...props }: Props) {
  const { onChanged, onLoggedOut, options, notes, warning, action } = props
  const config = useConfig()
  const reloadConfig = useReloadConfig()
  const [text, setText] = useState(start === undefined ? '' : String(start))
  const { accepted, accept, deliverTo, setDeliverTo } = choices
  const wallet = user.metamaskAddress ?? null
  const recipient = wallet ? deliverTo : 'custody'
  const range = { ...priceRange, min: minimum }
  const amount = amountWithin(text, range)
  const euros = 'euros' in amount ? amount.euros : undefined

  const { busy, onSubmit, message, fields } = useForm(async () => {
    if (euros === undefined) return undefined
    const outcome = await place(euros, { termsVersion: config.termsVersion, deliverTo: recipient })
    if (outcome.ok && isPaymentPage(outcome.data.url, config)) {
      choices.keep(recipient)
      await leaveForPayment(outcome.data.url)
    }
    // No error: the button asks for the confirmation.
    if (!outcome.ok && outcome.error.code === 'unusual_amount') return undefined
    onChanged()
    if (outcome.ok) return undefined
    const { error } = outcome
    if (error.status === 401) onLoggedOut()
    if (error.code === 'invalid_terms') {
      await reloadConfig()
      accept(false)
    }
    return amountProblems(kind, error, { isOnline: navigator.onLine })
  })

  return (
    <form className="offer__form" onSubmit={onSubmit}>
      <AmountField
        label={label}
        name="amount"
        hint={`From ${formatPrice(minimum)}`}
        range={range}
        required
        text={text}
        onText={setText}
        error={fields.amount}
      />
      {least && <p className="notice">{least}</p>}
      {options?.({ euros, fields })}
      <ul className="panel__notes">
        {notes(euros === undefined ? 'the amount' : formatPrice(euros))}
        <DeliveryChoice userId={user._id} wallet={wallet} deliverTo={recipient} onChange={setDeliverTo} />
      </ul>
      {fields.deliverTo && <Notice kind="error">{fields.deliverTo}</Notice>}
      <TermsBox accepted={accepted} onAccept={accept} />
      {message && <Notice kind="error">{message}</Notice>}
      {warning?.({ euros, fields })}
      <div className="dialog__actions">
        <Button type="submit" disabled={!accepted} busy={busy} busyLabel="One moment...">
          {action(euros)}
        </Button>
      </div>
    </form>
  )
}
