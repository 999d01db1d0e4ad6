import { stepUpRequired } from '@nifty/service-kit/http/step-up'
import type { Transaction } from 'kysely'
import { alertOwner, changeAccount, lockOwnAccount } from '../accounts/account.actions.ts'
import { lockAccount } from '../accounts/account.store.ts'
import { type ExistingAccount, renamed } from '../accounts/account.ts'
import type { Config, MailConfig } from '../config.ts'
import type { Database } from '../db.ts'
import { isOtherAddress, requestEmailChange } from '../emails/email.actions.ts'
import { consumeQuota } from '../quotas/quota.store.ts'
import { checkFullName, hasFields, type ProfileChange } from './profile.ts'

/**
 * Merges a change into the profile. Fields that it does not contain keep their values, also concurrent changes. Throws
 * 403 `step_up_required`, with nothing changed, for another e-mail address without a step-up, and 400 `invalid_profile`
 * for a full name that no person may have.
 */
export async function changeProfile(
  trx: Transaction<Database>,
  userId: string,
  {
    change,
    config,
    steppedUp,
  }: { change: ProfileChange; config: MailConfig & Pick<Config, 'storeName'>; steppedUp: boolean },
) {
  const account = await lockOwnAccount(trx, userId)
  checkFullName(account, change, config.storeName)
  const email = change.email !== undefined && isOtherAddress(account, change.email) ? change.email : undefined
  if (email !== undefined && !steppedUp) throw stepUpRequired()
  if (hasFields(change))
    await changeAccount(trx, userId, {
      ...change.texts,
      ...(account.admin ? renamed(account, change.texts, new Date()) : {}),
      links: { ...account.links, ...change.links },
      notifications: { ...account.notifications, ...change.notifications },
    })
  if (account.notifications.message && change.notifications.message === false)
    await alertOfSaleMailsOff(trx, account, config)
  if (email !== undefined) await requestEmailChange(trx, account, { email, config })
  return (await lockAccount(trx, userId)) ?? account
}

/**
 * Mails the end of the mails about own sales to the owner, at most `mailsPerHour` times an hour: a thief of the bearer
 * token switches them off before a work is sold below its value.
 */
async function alertOfSaleMailsOff(
  trx: Transaction<Database>,
  account: ExistingAccount,
  { limits, mailTokenKeys }: MailConfig,
) {
  const quota = { action: 'sale_mails_off_mail', perHour: limits.mailsPerHour } as const
  if (!(await consumeQuota(trx, account.id, quota)).allowed) return
  await alertOwner(trx, account, { what: 'sale_mails_off' }, mailTokenKeys)
}
