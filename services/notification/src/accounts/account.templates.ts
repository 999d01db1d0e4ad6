import type { securityNoticeRequested } from '@nifty/events/auth'
import type { Static } from 'typebox'
import type { EmailContent } from '../mails/email-layout.ts'

export const confirmation = ({ url, purpose }: { url: string; purpose: 'sign_up' | 'new_address' }): EmailContent => ({
  subject: purpose === 'sign_up' ? 'Welcome to Nifty: confirm your e-mail address' : 'Confirm your new e-mail address',
  paragraphs: [
    purpose === 'sign_up'
      ? 'Your account is ready. Please confirm that this address is yours, so that we can tell you when a work has arrived.'
      : 'Please confirm that this address is yours. Until then we go on writing to the old one.',
  ],
  action: { label: 'Confirm my address', url },
  footnote: 'You did not ask for this? Then ignore this mail; nothing happens.',
})

export const alreadyRegistered = ({ loginUrl }: { loginUrl: string }): EmailContent => ({
  subject: 'You already have a Nifty account',
  paragraphs: [
    'Somebody just tried to sign up with your e-mail address. If that was you: you have an account already, and can log in.',
    'If it was not you, there is nothing to do. Nobody was told that you have an account.',
  ],
  action: { label: 'Log in', url: loginUrl },
})

export const passwordReset = ({ url }: { url: string }): EmailContent => ({
  subject: 'Set a new password',
  paragraphs: ['You asked for a new password. This link works once, for ten minutes.'],
  action: { label: 'Set a new password', url },
  footnote: 'You did not ask for this? Then ignore this mail; your password stays as it is.',
})

type Requested = Static<typeof securityNoticeRequested.data>
export type Notice = Pick<Requested, 'to' | 'at'> & { what: Requested['what'] | 'sale_mails_off' }

const notices: Record<Notice['what'], string> = {
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
  recovery_codes_replaced: 'The recovery codes of your account were replaced. The former ones no longer work.',
}

const walletTaken =
  'The wallet of your account was linked to another account, whose owner proved with a signature to hold it.'

const subjects: Partial<Record<Notice['what'], string>> = {
  withdrawal_requested: 'A work leaves your Nifty account',
  new_device: 'A new log-in to your Nifty account',
}

const factNames: Partial<Record<Notice['what'], string>> = {
  email_change_requested: 'New address',
  email_changed: 'New address',
  wallet_changed: 'New wallet',
  withdrawal_requested: 'To the wallet',
  new_device: 'From',
}

/** `22 November 2026 at 18:40 UTC` */
const timeText = (at: string) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(at))} UTC`

const changedTo = ({ what, to }: Notice): [string, string][] => {
  const name = factNames[what]
  return name && to ? [[name, to]] : []
}

export const securityNotice = ({ freezeUrl, ...notice }: Notice & { freezeUrl: string }): EmailContent => ({
  subject: subjects[notice.what] ?? 'A change to your Nifty account',
  paragraphs: [
    notice.what === 'wallet_changed' && notice.to === null ? walletTaken : notices[notice.what],
    'If that was you, there is nothing to do. If it was not, freeze your account now: all sessions are logged out, and nothing can be sold, bought, withdrawn or changed until you set a new password.',
  ],
  facts: [...changedTo(notice), ['Time', timeText(notice.at)]],
  action: { label: 'It was not me: freeze my account', url: freezeUrl },
  footnote: 'The link works for 72 hours and asks before it does anything.',
})

/** `givenUp`: the store keeps works for the account. */
export const goodbye = (givenUp?: { handBackCode: string; contactUrl: string }): EmailContent => ({
  subject: 'Your Nifty account was deleted',
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
