import { tooMany } from '@nifty/service-kit/base/errors'
import type { Transaction } from 'kysely'
import { lockOwnAccount } from '../accounts/account.actions.ts'
import { publishApplication } from '../accounts/account.events.ts'
import type { ExistingAccount } from '../accounts/account.ts'
import type { Database } from '../db.ts'
import { consumeQuota } from '../quotas/quota.store.ts'
import {
  answerWaitingApplication,
  deleteWaitingApplication,
  findNewestApplication,
  insertApplication,
  type Outcome,
} from './application.store.ts'
import {
  type ApplicationForm,
  addressNotConfirmed,
  againFrom,
  applicationTooEarly,
  applicationWaits,
  maySellAlready,
} from './application.ts'

/** Stores an application, and mails it to the operator and its receipt to the applicant. Throws 403, 409 or 429. */
export async function apply(trx: Transaction<Database>, accountId: string, form: ApplicationForm, perDay: number) {
  const account = await lockOwnAccount(trx, accountId)
  if (account.admin) throw maySellAlready()
  if (!account.emailConfirmedAt) throw addressNotConfirmed()
  const newest = await findNewestApplication(trx, accountId)
  if (newest?.state === 'waiting') throw applicationWaits()
  const from = newest && againFrom(newest)
  if (from && from > new Date()) throw applicationTooEarly(from)
  const quota = await consumeQuota(trx, accountId, { action: 'seller_application', perDay })
  if (!quota.allowed) throw tooMany(quota.retryAfterS)
  const application = await insertApplication(trx, accountId, form)
  await publishApplication(trx, account, { applicationId: application.id, state: 'waiting', answer: '', ...form })
  return application
}

export async function withdrawApplication(trx: Transaction<Database>, accountId: string) {
  await lockOwnAccount(trx, accountId)
  await deleteWaitingApplication(trx, accountId)
}

/** Decides on the application that waits, and mails it. False when none waits, or another than `outcome.id`. */
export async function answerApplication(trx: Transaction<Database>, account: ExistingAccount, outcome: Outcome) {
  const application = await answerWaitingApplication(trx, account.id, outcome)
  if (!application) return false
  const { id: applicationId, links, message } = application
  const state = outcome.granted ? 'granted' : 'declined'
  await publishApplication(trx, account, { applicationId, state, answer: outcome.answer, links, message })
  return true
}
