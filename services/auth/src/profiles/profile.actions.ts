import { stepUpRequired } from '@nifty/service-kit/http/step-up'
import type { Transaction } from 'kysely'
import { changeAccount, lockOwnAccount } from '../accounts/account.actions.ts'
import { lockAccount } from '../accounts/account.store.ts'
import type { MailConfig } from '../config.ts'
import type { Database } from '../db.ts'
import { isOtherAddress, requestEmailChange } from '../emails/email.actions.ts'
import { hasFields, type ProfileChange } from './profile.ts'

/**
 * Merges a change into the profile. Fields that it does not contain keep their values, also concurrent changes. Throws
 * 403 `step_up_required`, with nothing changed, for another e-mail address without a step-up.
 */
export async function changeProfile(
  trx: Transaction<Database>,
  userId: string,
  { change, config, steppedUp }: { change: ProfileChange; config: MailConfig; steppedUp: boolean },
) {
  const account = await lockOwnAccount(trx, userId)
  const email = change.email !== undefined && isOtherAddress(account, change.email) ? change.email : undefined
  if (email !== undefined && !steppedUp) throw stepUpRequired()
  if (hasFields(change))
    await changeAccount(trx, userId, {
      ...change.texts,
      links: { ...account.links, ...change.links },
      notifications: { ...account.notifications, ...change.notifications },
    })
  if (email !== undefined) await requestEmailChange(trx, account, { email, config })
  return (await lockAccount(trx, userId)) ?? account
}
