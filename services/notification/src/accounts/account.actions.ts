import type {
  accountDeleted,
  deletionRequested,
  emailConfirmationRequested,
  passwordResetRequested,
  securityNoticeRequested,
  signUpRepeated,
  unusualPriceNoticed,
} from '@nifty/events/auth'
import { sha256 } from '@nifty/service-kit/base/secrets'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import type { Store } from '../mails/email-layout.ts'
import { queueMail, RESET_TEMPLATE } from '../mails/mail.actions.ts'
import { isMailStored } from '../mails/mail.store.ts'
import { deleteNoticesOf } from '../notices/notice.store.ts'
import { markRecipientDeleted } from '../recipients/recipient.store.ts'
import {
  alreadyRegistered,
  confirmation,
  deletionIsRequested,
  goodbye,
  type Notice,
  passwordReset,
  securityNotice,
  unusualPrice,
} from './account.templates.ts'

type Trx = Transaction<Database>

/** How long auth accepts the link of a confirmation. */
const CONFIRMATION_HOURS = { sign_up: 72, new_address: 24 }

export const queueConfirmation = (trx: Trx, event: Static<typeof emailConfirmationRequested.data>, store: Store) =>
  queueMail(trx, {
    store,
    template: 'confirmation',
    subjectId: `${event.userId}.${event.at}`,
    recipient: event.email,
    content: ({ token }) =>
      confirmation({
        url: `${store.publicUrl}/accept?token=${token}`,
        purpose: event.purpose,
        storeName: store.name,
      }),
    sealedToken: event.token,
    expiresAt: new Date(Date.parse(event.at) + CONFIRMATION_HOURS[event.purpose] * 3_600_000),
  })

/** One mail per UTC day, for any number of repeated sign-ups; the sender discards the further ones. */
export async function queueAlreadyRegistered(trx: Trx, event: Static<typeof signUpRepeated.data>, store: Store) {
  const { userId, email, at } = event
  const template = 'already-registered'
  const today = `${userId}.${at.slice(0, 10)}`
  const isRepeated = await isMailStored(trx, { templates: [template], subjectId: today })
  await queueMail(trx, {
    store,
    template,
    subjectId: isRepeated ? `${userId}.${at}` : today,
    recipient: isRepeated ? '' : email,
    content: alreadyRegistered({ loginUrl: `${store.publicUrl}/login`, storeName: store.name }),
  })
}

export const queuePasswordReset = (trx: Trx, event: Static<typeof passwordResetRequested.data>, store: Store) =>
  queueMail(trx, {
    store,
    template: RESET_TEMPLATE,
    subjectId: `${event.userId}.${event.at}`,
    recipient: event.email,
    content: ({ token }) => passwordReset({ url: `${store.publicUrl}/reset-password/${token}` }),
    sealedToken: event.token,
    ...(event.sendBefore && { expiresAt: new Date(event.sendBefore) }),
  })

type NoticeMail = Omit<Static<typeof securityNoticeRequested.data>, 'what'> & Pick<Notice, 'what'>

/** In the fragment, which browsers send to no server. */
const freezeUrlOf = ({ publicUrl }: Store, token: string) => `${publicUrl}/freeze-account#${token}`

export const queueSecurityNotice = (trx: Trx, event: NoticeMail, store: Store) =>
  queueMail(trx, {
    store,
    template: 'security-notice',
    subjectId: `${event.userId}.${event.what}.${event.at}`,
    recipient: event.email,
    content: ({ token }) => securityNotice({ ...event, freezeUrl: freezeUrlOf(store, token), storeName: store.name }),
    sealedToken: event.freezeToken,
  })

/** One mail for each address. */
export const queueDeletionRequested = (trx: Trx, event: Static<typeof deletionRequested.data>, store: Store) =>
  queueMail(trx, {
    store,
    template: 'deletion-requested',
    subjectId: `${event.userId}.${sha256(event.email.toLowerCase())}.${event.at}`,
    recipient: event.email,
    content: ({ token }) =>
      deletionIsRequested({
        storeName: store.name,
        ...(event.freezeToken !== null && { freezeUrl: freezeUrlOf(store, token) }),
      }),
    ...(event.freezeToken !== null && { sealedToken: event.freezeToken }),
  })

export const queueUnusualPrice = (trx: Trx, event: Static<typeof unusualPriceNoticed.data>, store: Store) =>
  queueMail(trx, {
    store,
    template: 'security-notice',
    subjectId: `${event.userId}.unusual_price.${event.at}`,
    recipient: event.email,
    content: ({ token }) => unusualPrice({ ...event, freezeUrl: freezeUrlOf(store, token) }),
    sealedToken: event.freezeToken,
  })

/**
 * Queues the goodbye mail and deletes the notices. The recipient is erased later, because mails about open lines may
 * still be due.
 */
export async function handleAccountDeleted(trx: Trx, event: Static<typeof accountDeleted.data>, store: Store) {
  await markRecipientDeleted(trx, event.userId)
  await deleteNoticesOf(trx, event.userId)
  await queueMail(trx, {
    store,
    template: 'goodbye',
    subjectId: event.userId,
    recipient: event.email,
    content: ({ token }) =>
      goodbye({
        storeName: store.name,
        ...(event.handBack && { givenUp: { handBackCode: token, contactUrl: `${store.publicUrl}/contact` } }),
      }),
    ...(event.handBack && { sealedToken: event.handBack.code }),
  })
}
