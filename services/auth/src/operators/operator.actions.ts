import { notFound } from '@nifty/service-kit/errors'
import { sql, type Transaction } from 'kysely'
import { announceAccount } from '../accounts/account.actions.ts'
import { findAccountByEmail, lockAccount, updateAccount } from '../accounts/account.store.ts'
import type { Database, OperatorActionName } from '../db.ts'
import { endSessionsOf } from '../sessions/session.store.ts'
import { type Rights, recordOperatorAction, saveRights } from './operator.store.ts'

/** Which account, which person does it, and for what reason. */
export type Command = { email: string; by: string; why: string }

/** May mint and sell from now on. Sessions end with every change of rights. */
export const grantAdmin = (trx: Transaction<Database>, command: Command) =>
  changeRights(trx, command, { action: 'grant_admin', rights: { admin: true } })

export const revokeAdmin = (trx: Transaction<Database>, command: Command) =>
  changeRights(trx, command, { action: 'revoke_admin', rights: { admin: false } })

/** Keeps an account from logging in, buying and selling; what it sold is still delivered. */
export const suspendAccount = (trx: Transaction<Database>, command: Command) =>
  changeRights(trx, command, { action: 'suspend', rights: { suspended: true } })

export const reinstateAccount = (trx: Transaction<Database>, command: Command) =>
  changeRights(trx, command, { action: 'reinstate', rights: { suspended: false } })

/** For people whom no mail reaches. */
export async function confirmEmailByHand(trx: Transaction<Database>, command: Command) {
  const { id } = await lockNamed(trx, command, 'confirm_email')
  await updateAccount(trx, id, { emailConfirmedAt: sql<Date>`now()` })
  return { userId: id }
}

async function changeRights(
  trx: Transaction<Database>,
  command: Command,
  { action, rights }: { action: OperatorActionName; rights: Rights },
) {
  const { id } = await lockNamed(trx, command, action)
  const account = await saveRights(trx, id, rights)
  await endSessionsOf(trx, id)
  await announceAccount(trx, account)
  return { userId: id }
}

async function lockNamed(trx: Transaction<Database>, { email, by, why }: Command, action: OperatorActionName) {
  const found = await findAccountByEmail(trx, email)
  const account = found && (await lockAccount(trx, found.id))
  if (!account) throw notFound('account_not_found', 'No account has this e-mail address')
  await recordOperatorAction(trx, { accountId: account.id, action, by, why })
  return account
}
