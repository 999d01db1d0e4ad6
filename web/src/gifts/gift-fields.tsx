import './gifts.css'
import { GIFT_DAYS, MAX_GIFT_TEXT } from '@nifty/api/gift-text'
import { EmailField } from '../ui/forms/email-field.tsx'
import { TextArea } from '../ui/forms/field.tsx'

type Props = {
  /** By name of the field, of the last response. */
  errors: { email?: string | undefined; text?: string | undefined }
  defaults?: { email: string; text: string } | undefined
}

/** Whom a gift is for, and what its giver writes. */
export function GiftFields({ errors, defaults }: Props) {
  return (
    <div className="gift-fields">
      <EmailField
        label="E-mail address of the recipient"
        name="email"
        autoComplete="off"
        required
        maxLength={254}
        error={errors.email}
        hint={`We mail a link there. Whoever opens it within ${GIFT_DAYS} days can accept the gift, without a wallet; else it stays with you.`}
        defaultValue={defaults?.email}
      />
      <TextArea
        label="Your words (optional)"
        name="text"
        rows={4}
        error={errors.text}
        hint={`At most ${MAX_GIFT_TEXT} characters, no links. Sign them: the mail does not name you.`}
        defaultValue={defaults?.text}
      />
    </div>
  )
}

/** The messages of a refused gift by field; `gift.email` is that of a purchase. */
export const giftErrors = (errors: { msg: string; path: string }[]) =>
  Object.fromEntries(errors.map(({ path, msg }) => [path.replace(/^gift\./, ''), msg])) as Props['errors']
