import type { CurrentUser } from '@nifty/api/auth/account'
import type { NftDetail } from '@nifty/api/catalog/public'
import { type OfferDays, offerDays } from '@nifty/api/offer-days'
import { makeOffer } from '@nifty/api/payments/offers'
import { formatPrice, priceRange } from '@nifty/api/price'
import { useState } from 'react'
import { send } from '../../api/api.ts'
import { paths } from '../../api/paths.ts'
import { useConfig } from '../../api/use-config.ts'
import { leaveForPayment } from '../../orders/leave-for-payment.ts'
import { isPaymentPage } from '../../orders/payment-page.ts'
import { Button } from '../../ui/button.tsx'
import { amountWithin } from '../../ui/forms/amount.ts'
import { AmountField } from '../../ui/forms/amount-field.tsx'
import { Checkbox } from '../../ui/forms/field.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/state.tsx'
import { DeliveryChoice } from './delivery-choice.tsx'
import { offerProblems } from './offer-problems.ts'
import type { useChoices } from './use-choices.ts'
import { useReloadConfig } from './use-reload-config.ts'

type Props = {
  item: NftDetail
  /** In euros. */
  minimum: number
  user: CurrentUser
  choices: ReturnType<typeof useChoices>
  /** There may be an order, or the work is another than it was. */
  onChanged: () => void
  onLoggedOut: () => void
}

const daysText = (days: number) => (days === 1 ? '1 day' : `${days} days`)

/** Amount, days, recipient and terms of an offer; leads to the payment page, on which the card is held. */
export function OfferForm({ item, minimum, user, choices, onChanged, onLoggedOut }: Props) {
  const config = useConfig()
  const reloadConfig = useReloadConfig()
  const [text, setText] = useState('')
  const [days, setDays] = useState<OfferDays>(3)
  const { accepted, accept, deliverTo, setDeliverTo } = choices
  const wallet = user.metamaskAddress ?? null
  const recipient = wallet ? deliverTo : 'custody'
  const range = { ...priceRange, min: minimum }
  const amount = amountWithin(text, range)
  const euros = 'euros' in amount ? amount.euros : undefined

  const { busy, onSubmit, message, fields } = useForm(async () => {
    if (euros === undefined) return undefined
    const body = { itemId: item._id, price: euros, days, termsVersion: config.termsVersion, deliverTo: recipient }
    const outcome = await send(makeOffer, { timeoutMs: 40_000, body })
    if (outcome.ok && isPaymentPage(outcome.data.url, config)) {
      choices.keep(recipient)
      await leaveForPayment(outcome.data.url)
    }
    onChanged()
    if (outcome.ok) return undefined
    const { error } = outcome
    if (error.status === 401) onLoggedOut()
    if (error.code === 'invalid_terms') {
      await reloadConfig()
      accept(false)
    }
    return offerProblems(error, { isOnline: navigator.onLine })
  })

  const held = euros === undefined ? 'the amount' : formatPrice(euros)
  return (
    <form className="offer__form" onSubmit={onSubmit}>
      <AmountField
        label="Your offer in €"
        hint={`From ${formatPrice(minimum)}`}
        range={range}
        required
        text={text}
        onText={setText}
        error={fields.price}
      />
      {euros !== undefined && item.forSale && item.price !== null && euros >= item.price && (
        <Notice>You can buy it now for {formatPrice(item.price)}, without waiting for the owner.</Notice>
      )}
      <fieldset className="offer__days">
        <legend className="field__label">The owner can accept it for</legend>
        {offerDays.map((each) => (
          <label key={each}>
            <input type="radio" name="days" checked={days === each} onChange={() => setDays(each)} />
            <span>{daysText(each)}</span>
          </label>
        ))}
      </fieldset>
      {fields.days && <Notice kind="error">{fields.days}</Notice>}
      <ul className="panel__notes">
        <li>
          Your bank holds {held} now. It is charged only if the owner accepts within {daysText(days)} and the work has
          arrived; otherwise the hold is given back at once. Your bank may show it for some days.
        </li>
        <DeliveryChoice userId={user._id} wallet={wallet} deliverTo={recipient} onChange={setDeliverTo} />
      </ul>
      {fields.deliverTo && <Notice kind="error">{fields.deliverTo}</Notice>}
      <Checkbox
        checked={accepted}
        onChange={(event) => accept(event.target.checked)}
        label={
          <>
            I declare that I have read, understand and accept the{' '}
            <Link to={paths.terms} target="_blank" rel="noopener">
              Terms and Conditions
            </Link>
          </>
        }
      />
      {message && <Notice kind="error">{message}</Notice>}
      <div className="dialog__actions">
        <Button type="submit" disabled={!accepted} busy={busy} busyLabel="One moment...">
          {euros === undefined ? 'Offer' : `Offer ${formatPrice(euros)}`}
        </Button>
      </div>
    </form>
  )
}
