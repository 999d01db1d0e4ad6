import type { Transaction } from 'kysely'
import { changeAccount, lockOwnAccount } from '../accounts/account.actions.ts'
import { lockAccount } from '../accounts/account.store.ts'
import type { Database } from '../db.ts'
import { requestEmailChange } from '../emails/email.actions.ts'
import { hasFields, type ProfileChange } from './profile.ts'

/** Merges a change into the profile. Fields that it does not contain keep their values, also concurrent changes. */
export async function changeProfile(
  trx: Transaction<Database>,
  userId: string,
  { change, mailsPerHour }: { change: ProfileChange; mailsPerHour: number },
) {
  const account = await lockOwnAccount(trx, userId)
  if (hasFields(change))
    await changeAccount(trx, userId, {
      ...change.texts,
      links: { ...account.links, ...change.links },
      notifications: { ...account.notifications, ...change.notifications },
    })
  if (change.email) await requestEmailChange(trx, account, { email: change.email, mailsPerHour })
  return (await lockAccount(trx, userId)) ?? account
}
