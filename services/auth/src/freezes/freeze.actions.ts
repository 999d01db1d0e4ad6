import { sha256 } from '@nifty/service-kit/base/secrets'
import { type Kysely, sql, type Transaction } from 'kysely'
import { changeAccount } from '../accounts/account.actions.ts'
import { findAccountByEmail, lockAccount } from '../accounts/account.store.ts'
import { type ExistingAccount, notFrozen, noWallet } from '../accounts/account.ts'
import { normalizeEmail } from '../accounts/email-address.ts'
import type { AccountChanges, Database } from '../db.ts'
import { revokeConfirmations } from '../mail-tokens/confirmation.store.ts'
import {
  findFirstFreezeLinkTo,
  findFreezeLink,
  firstFreezeLinkAt,
  revokeFreezeLinksSince,
} from '../mail-tokens/freeze-link.store.ts'
import { revokeResets } from '../mail-tokens/reset.store.ts'
import { hasLeadingBid } from '../obligations/obligation.store.ts'
import { deleteSignInMethodsSince } from '../second-factors/second-factor.actions.ts'
import { endSessionsOf } from '../sessions/session.store.ts'
import { formerAddressTaken, invalidFreezeLink } from './freeze.ts'

/**
 * Freezes the account of a mailed link: ends its sessions and refuses log-ins; other services get it as suspended. A
 * requested deletion is undone. Of several links the one that was mailed first decides through which address a reset
 * ends the freeze, because later ones may have gone to a thief's address. A bid of the account that leads an auction
 * stays. Idempotent. Returns whose account it is, and whether there is such a bid.
 */
export async function freezeAccount(
  trx: Transaction<Database>,
  token: string,
): Promise<{ userId: string; bidLeads: boolean }> {
  const link = await findFreezeLink(trx, sha256(token))
  const account = link && (await lockAccount(trx, link.accountId))
  if (!account) throw invalidFreezeLink()
  const isLater = account.frozenLinkAt !== null && account.frozenLinkAt <= link.createdAt
  const frozen = { userId: account.id, bidLeads: await hasLeadingBid(trx, account.id) }
  if (isLater && !account.deletionRequestedAt) return frozen

  await revokeConfirmations(trx, account.id, 'new_address')
  await revokeResets(trx, account.id)
  await endSessionsOf(trx, account.id)
  const states = isLater ? {} : { frozenAt: sql<Date>`now()`, frozenEmail: link.email, frozenLinkAt: link.createdAt }
  await changeAccount(trx, account.id, { ...states, pendingEmail: null, deletionRequestedAt: null })
  return frozen
}

/**
 * What a freeze by the first mail to `email` makes of an account that is being deleted, for an operator who undoes the
 * deletion for the owner of that address. Unchanged without such a mail.
 */
export async function asFrozenBy(
  db: Kysely<Database>,
  account: ExistingAccount,
  email: string,
): Promise<ExistingAccount> {
  const link = await findFirstFreezeLinkTo(db, account.id, normalizeEmail(email))
  return link ? { ...account, frozenEmail: link.email, frozenLinkAt: link.createdAt } : account
}

/**
 * Ends a freeze or a requested deletion for the owner of `email`, the account's present address or the one that the
 * link was mailed to; it becomes the account's address. A second factor, passkeys and a wallet end that are younger
 * than the first mail of the last 72 hours: a thief adds them before the change whose mail the owner answers. Links of
 * earlier mails stay valid. Throws 409 when another account took the address meanwhile.
 */
export async function unfreezeAccount(
  trx: Transaction<Database>,
  account: ExistingAccount,
  email: string,
): Promise<ExistingAccount> {
  const { id, frozenLinkAt, walletLinkedAt } = account
  const other = await findAccountByEmail(trx, email)
  if (other && other.id !== id) throw formerAddressTaken()
  const changes: AccountChanges = {
    ...notFrozen,
    deletionRequestedAt: null,
    email,
    emailKey: normalizeEmail(email),
    emailConfirmedAt: sql`now()`,
  }
  if (frozenLinkAt) {
    const firstLinkAt = await firstFreezeLinkAt(trx, id)
    const since = firstLinkAt && firstLinkAt < frozenLinkAt ? firstLinkAt : frozenLinkAt
    await deleteSignInMethodsSince(trx, id, since)
    if (walletLinkedAt && walletLinkedAt >= since) Object.assign(changes, noWallet)
    await revokeFreezeLinksSince(trx, id, frozenLinkAt)
  }
  return changeAccount(trx, id, changes)
}
