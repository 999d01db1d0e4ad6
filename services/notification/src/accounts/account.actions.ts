import type {
  accountDeleted,
  emailConfirmationRequested,
  passwordResetRequested,
  securityNoticed,
  signUpRepeated,
} from '@nifty/events/auth'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import { queueLetter } from '../mails/mail.actions.ts'
import { eraseContacts, markContactDeleted } from '../recipients/recipient.store.ts'
import { alreadyRegistered, confirmation, goodbye, passwordReset, securityNotice } from './account.templates.ts'

type Trx = Transaction<Database>

export const writeConfirmation = (trx: Trx, event: Static<typeof emailConfirmationRequested.data>, publicUrl: string) =>
  queueLetter(trx, {
    template: 'confirmation',
    subjectId: `${event.userId}.${event.at}`,
    recipient: event.email,
    letter: confirmation(event, {
      url: `${publicUrl}/accept?token=${encodeURIComponent(event.token)}`,
      purpose: event.purpose,
    }),
  })

export const writeAlreadyRegistered = (trx: Trx, event: Static<typeof signUpRepeated.data>, publicUrl: string) =>
  queueLetter(trx, {
    template: 'already-registered',
    // Once a day at most, however often somebody tries.
    subjectId: `${event.userId}.${event.at.slice(0, 10)}`,
    recipient: event.email,
    letter: alreadyRegistered(event, { loginUrl: `${publicUrl}/login` }),
  })

export const writePasswordReset = (trx: Trx, event: Static<typeof passwordResetRequested.data>, publicUrl: string) =>
  queueLetter(trx, {
    template: 'password-reset',
    subjectId: `${event.userId}.${event.at}`,
    recipient: event.email,
    letter: passwordReset(event, { url: `${publicUrl}/reset-password/${encodeURIComponent(event.token)}` }),
  })

export const writeSecurityNotice = (trx: Trx, event: Static<typeof securityNoticed.data>, publicUrl: string) =>
  queueLetter(trx, {
    template: 'security-notice',
    subjectId: `${event.userId}.${event.what}.${event.at}`,
    recipient: event.email,
    letter: securityNotice(event, { what: event.what, contactUrl: `${publicUrl}/contact` }),
  })

export async function sayGoodbye(trx: Trx, event: Static<typeof accountDeleted.data>) {
  await markContactDeleted(trx, event.userId)
  await queueLetter(trx, {
    template: 'goodbye',
    subjectId: event.userId,
    recipient: event.email,
    letter: goodbye(event),
  })
  await eraseContacts(trx, [event.userId])
}
