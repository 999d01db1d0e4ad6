import { formatPrice } from '@nifty/api/price'
import { toEuros } from '@nifty/api/shapes'
import type { securityNoticeRequested, unusualPriceNoticed } from '@nifty/events/auth'
import { readableEmail } from '@nifty/service-kit/base/readable-email'
import type { Static } from 'typebox'
import type { EmailContent } from '../mails/email-layout.ts'
import { timeText } from '../mails/time-text.ts'

type Confirmation = { url: string; purpose: 'sign_up' | 'new_address'; storeName: string }

export const confirmation = ({ url, purpose, storeName }: Confirmation): EmailContent => ({
  subject:
    purpose === 'sign_up' ? `Welcome to ${storeName}: confirm your e-mail address` : 'Confirm your new e-mail address',
  paragraphs: [
    purpose === 'sign_up'
      ? 'Please confirm that this address is yours. Until then you cannot give works away, move them to a wallet of your own or apply to sell, only a few works can be reserved for you at a time, and log-in may be refused.'
      : 'Please confirm that this address is yours. Until then we go on writing to the old one.',
  ],
  action: { label: 'Confirm my address', url },
  footnote: 'You did not ask for this? Then ignore this mail; nothing happens.',
})

export const alreadyRegistered = ({ loginUrl, storeName }: { loginUrl: string; storeName: string }): EmailContent => ({
  subject: `You already have a ${storeName} account`,
  paragraphs: [
    'Somebody just tried to sign up with your e-mail address. If that was you: you have an account already, and can log in.',
    'If it was not you, there is nothing to do. Nobody was told that you have an account.',
  ],
  action: { label: 'Log in', url: loginUrl },
})

export const passwordReset = ({ url }: { url: string }): EmailContent => ({
  subject: 'Set a new password',
  paragraphs: ['You asked for a new password. This link works once, for an hour from the time of this mail.'],
  action: { label: 'Set a new password', url },
  footnote: 'You did not ask for this? Then ignore this mail; your password stays as it is.',
})

type Requested = Static<typeof securityNoticeRequested.data>
/** `what` is a key of `notices`; others get a general text. */
export type Notice = Pick<Requested, 'to' | 'at' | 'work'> & { what: string }

const giftRule =
  'Whoever reads our mail to the address that was entered can accept it within 90 days. Until then it is yours, and you can take it back.'
const changed = 'Something in your account was changed or read.'
type Warned = 'sale_mails_off' | 'wrong_code' | 'data_exported' | 'gift_given' | 'gift_corrected'
const notices: Record<Requested['what'] | Warned, string> = {
  password_changed: 'The password of your account was changed. All other sessions have been logged out.',
  email_change_requested: 'The e-mail address of your account is being changed.',
  email_changed: 'The e-mail address of your account was changed. This is the last mail to this one.',
  wallet_changed: 'A wallet was linked to your account.',
  withdrawal_requested: 'One of your works is on its way out of the store’s custody.',
  new_device: 'Your account was logged in to from a device that it was not used on before.',
  second_factor_on: 'Logging in to your account now needs a code of an authenticator app as well.',
  second_factor_off: 'The second factor of your account was turned off. Logging in needs the password only.',
  passkey_added: 'A passkey was added to your account. It logs in without your password.',
  passkey_renamed: 'A passkey of your account was renamed.',
  passkey_removed: 'A passkey was removed from your account. It no longer logs in.',
  sale_mails_off: 'The mails about sales of your works were switched off.',
  wrong_code:
    'Somebody entered the password of your account, and then a wrong code of your second factor. If it was not you, the password is known to somebody else: change it.',
  data_exported: 'The personal data of your account was exported.',
  gift_given: `A work of yours waits for the recipient of your gift. ${giftRule}`,
  gift_corrected: `The address of a gift of yours was changed, and the former link no longer works. ${giftRule}`,
  recovery_codes_replaced: 'The recovery codes of your account were replaced. The former ones no longer work.',
}

const walletTaken =
  'The wallet of your account was linked to another account, whose owner proved with a signature to hold it.'

const isKnown = (what: string): what is keyof typeof notices => Object.hasOwn(notices, what)

const subjectsOf = (storeName: string, work = 'a work of yours'): Record<string, string> => ({
  withdrawal_requested: `A work leaves your ${storeName} account`,
  new_device: `A new log-in to your ${storeName} account`,
  wrong_code: `Somebody has the password of your ${storeName} account`,
  data_exported: `The data of your ${storeName} account was exported`,
  gift_given: `Your gift waits for its recipient: ${work}`,
  gift_corrected: `Your gift goes to another address: ${work}`,
})

const factNames: Record<string, string> = {
  email_change_requested: 'New address',
  email_changed: 'New address',
  wallet_changed: 'New wallet',
  withdrawal_requested: 'To the wallet',
  new_device: 'From',
}

const changedTo = ({ what, to }: Notice): [string, string][] => {
  const name = factNames[what]
  if (!name || !to) return []
  return [[name, what === 'email_changed' || what === 'email_change_requested' ? readableEmail(to) : to]]
}

const workOf = ({ work }: Notice): [string, string][] => (work === undefined ? [] : [['Work', work]])

const textOf = ({ what, to, work }: Notice) => {
  if (what === 'withdrawal_requested' && work !== undefined)
    return `“${work}” is on its way out of the store’s custody.`
  if (what === 'wallet_changed' && to === null) return walletTaken
  return isKnown(what) ? notices[what] : changed
}

const freezeText =
  'If that was you, there is nothing to do. If it was not, freeze your account now: all sessions are logged out, and nothing can be sold, bought, withdrawn or changed until you set a new password.'

const freezing = (url: string) => ({
  action: { label: 'It was not me: freeze my account', url },
  footnote: 'The link works for 72 hours and asks before it does anything.',
})

type SecurityNotice = Notice & { freezeUrl: string; storeName: string }

export const securityNotice = ({ freezeUrl, storeName, ...notice }: SecurityNotice): EmailContent => ({
  subject: subjectsOf(storeName, notice.work)[notice.what] ?? `A change to your ${storeName} account`,
  paragraphs: [textOf(notice), freezeText],
  facts: [...workOf(notice), ...changedTo(notice), ['Time', timeText(notice.at)]],
  ...freezing(freezeUrl),
})

type UnusualPrice = Pick<Static<typeof unusualPriceNoticed.data>, 'name' | 'priceCents' | 'formerCents' | 'at'>

export const unusualPrice = ({ freezeUrl, ...listing }: UnusualPrice & { freezeUrl: string }): EmailContent => ({
  subject: 'A work of yours can be sold at a low price',
  paragraphs: [
    'One of your works can now be sold for less than half of what it cost before: by a price, an auction or offers.',
    `${freezeText} A sale that is under way ends as well, unless its delivery has begun.`,
  ],
  facts: [
    ['Work', listing.name],
    ['Price', formatPrice(toEuros(listing.priceCents))],
    ['Before', formatPrice(toEuros(listing.formerCents))],
    ['Time', timeText(listing.at)],
  ],
  ...freezing(freezeUrl),
})

/** `freezeUrl`: the link that undoes it, which an address that got none of the earlier mails does not get. */
export const deletionIsRequested = ({
  storeName,
  freezeUrl,
}: {
  storeName: string
  freezeUrl?: string
}): EmailContent => ({
  subject: `Your ${storeName} account will be deleted`,
  paragraphs: [
    'The account is closed now, and nobody can log in. Because it was changed a short time ago, your personal data is erased in three days.',
    ...(freezeUrl
      ? [
          'If that was you, there is nothing to do. If it was not, freeze the account now: it is not deleted, and you get it back by setting a new password.',
        ]
      : []),
  ],
  ...(freezeUrl && { action: { label: 'It was not me: keep my account', url: freezeUrl } }),
})

type Goodbye = {
  storeName: string
  /** The store keeps works for the account. */
  givenUp?: { handBackCode: string; contactUrl: string }
}

export const goodbye = ({ storeName, givenUp }: Goodbye): EmailContent => ({
  subject: `Your ${storeName} account was deleted`,
  paragraphs: [
    'Your account and your personal data are gone. Orders that are under way are finished, and their records are kept as the law asks.',
    ...(givenUp
      ? [
          'You gave up the works that the store kept for you. For 30 days we can still send them to a wallet: write to us with its address and this code. Without the code we cannot know whose they were.',
        ]
      : []),
    'Thank you for having been with us.',
  ],
  ...(givenUp && {
    facts: [['Code', givenUp.handBackCode]],
    action: { label: 'Write to us', url: givenUp.contactUrl },
  }),
})
