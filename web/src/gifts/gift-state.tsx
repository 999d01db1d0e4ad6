import './gifts.css'
import type { Gift } from '@nifty/api/minting/gifts'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { EmailField } from '../ui/forms/email-field.tsx'
import { useForm } from '../ui/forms/use-form.ts'
import { Notice } from '../ui/state.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { giftErrors } from './gift-fields.tsx'
import { readdressGift, takeBackGift } from './use-gifts.ts'

function sentenceOf({ state, email, until, waitsFor }: Gift): ReactNode {
  const to = email ?? 'the address'
  if (waitsFor === 'mail_limit')
    return `Your card was charged. We mail only so many gifts to one address in a day: the link to ${to} follows tomorrow.`
  if (waitsFor === 'contest') return `Your payment is being examined. We mail the link to ${to} once that is decided.`
  if (state === 'bought') return `We mail the link to ${to} once the work has arrived and your card was charged.`
  if (state === 'offered')
    return (
      <>
        We mailed the link to {to}. The gift can be accepted until {until && <Time at={until} />}; it is yours until
        then.
      </>
    )
  if (state === 'claiming') return 'Your gift is being accepted: it is on its way to its recipient.'
  if (state === 'claimed') return 'Your gift was accepted. Thank you for giving art.'
  if (state === 'taken_back') return 'You took this gift back. The work is yours.'
  if (state === 'refunded') return 'Your payment was refunded, and the link no longer works. The work is yours.'
  if (state === 'lapsed') return 'This gift was not accepted in time. The work is yours.'
  return 'This gift has ended.'
}

/** What the giver wrote; nothing without it. */
export const GiftText = ({ text }: { text: string }) =>
  text && (
    <blockquote className="gift-state__text" dir="auto">
      {text}
    </blockquote>
  )

/** What became of a gift, for its giver, who may take it back or correct the address until it is accepted. */
export function GiftState({ gift, onChanged }: { gift: Gift; onChanged: () => void }) {
  const [correcting, setCorrecting] = useState(false)
  const [problem, setProblem] = useState('')
  const [busy, run] = useBusy()
  const isOpen = gift.state === 'bought' || gift.state === 'offered'

  const takeBack = () =>
    run(async () => {
      const outcome = await takeBackGift(gift._id)
      setProblem(outcome.ok ? '' : outcome.error.message)
      if (outcome.ok) toast.success('The gift is yours again, and the link in the mail no longer works')
      onChanged()
    })

  return (
    <div className="gift-state">
      <p role="status" tabIndex={-1}>
        {sentenceOf(gift)}
      </p>
      <GiftText text={gift.text} />
      {problem && <Notice kind="error">{problem}</Notice>}
      {isOpen && correcting && (
        <AddressForm
          gift={gift}
          onDone={() => {
            setCorrecting(false)
            onChanged()
          }}
        />
      )}
      {isOpen && !correcting && (
        <div className="gift-state__actions">
          <Button variant="secondary" onClick={() => setCorrecting(true)}>
            Correct the address
          </Button>
          <Button variant="secondary" busy={busy} busyLabel="One moment..." onClick={() => void takeBack()}>
            Take it back
          </Button>
        </div>
      )}
    </div>
  )
}

function AddressForm({ gift, onDone }: { gift: Gift; onDone: () => void }) {
  const { busy, onSubmit, message, fields } = useForm(async ({ text }) => {
    const outcome = await readdressGift(gift._id, text('email'))
    if (!outcome.ok) {
      const { errors, message: reason } = outcome.error
      return errors.length > 0 ? { fields: giftErrors(errors) } : { message: reason }
    }
    toast.success('The gift goes to the new address')
    onDone()
    return undefined
  })
  return (
    <form onSubmit={onSubmit}>
      <EmailField
        label="E-mail address of the recipient"
        name="email"
        autoComplete="off"
        required
        maxLength={254}
        defaultValue={gift.email ?? ''}
        error={fields.email}
        hint={gift.state === 'offered' ? 'We mail a new link there. The former one no longer works.' : undefined}
      />
      {message && <Notice kind="error">{message}</Notice>}
      <div className="gift-state__actions">
        <Button type="submit" busy={busy} busyLabel="One moment...">
          Save the address
        </Button>
        <Button variant="secondary" onClick={onDone}>
          Leave it
        </Button>
      </div>
    </form>
  )
}
