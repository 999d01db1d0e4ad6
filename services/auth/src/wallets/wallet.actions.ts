import type { Keys } from '@nifty/service-kit/base/secrets'
import { sql, type Transaction } from 'kysely'
import { alertOwner, changeAccount, lockOwnAccount } from '../accounts/account.actions.ts'
import { lockAccount } from '../accounts/account.store.ts'
import { noWallet } from '../accounts/account.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import { consumeProof, issueChallenge, type SignedChallenge } from './wallet.challenge.ts'
import { findWalletHolder } from './wallet.store.ts'
import { alreadyLinked, mayTake, startsWaiting } from './wallet.ts'

/** Issues the text that proves the wallet when signed. */
export async function challengeWallet(
  trx: Transaction<Database>,
  config: Pick<Config, 'publicUrl' | 'storeName' | 'chainId'>,
  { userId, address }: { userId: string; address: string },
) {
  const account = await lockOwnAccount(trx, userId)
  return issueChallenge(trx, config, { account, address, purpose: 'link' })
}

type Link = {
  userId: string
  address: string
  signed: SignedChallenge | undefined
  mailTokenKeys: Keys
}

/**
 * Links an address to an account and unlinks its previous one. With a signature it also takes the address from an
 * account that linked it without one. Returns the replaced address, if any. The caller has stepped up.
 */
export async function linkWallet(
  trx: Transaction<Database>,
  { userId, address, signed, mailTokenKeys }: Link,
): Promise<{ replaced: string | null }> {
  const holderId = await findWalletHolder(trx, address)
  const { account, holder } = await lockBoth(trx, userId, holderId)
  if (signed) await consumeProof(trx, { userId, address, purpose: 'link', signed })

  if (holder && holder.wallet === address) {
    if (!mayTake({ holderProven: holder.walletProven, signed: signed !== undefined })) throw alreadyLinked()
    await changeAccount(trx, holder.id, noWallet)
    await alertOwner(trx, holder, { what: 'wallet_changed', to: null }, mailTokenKeys)
  }
  const same = account.wallet === address
  if (same && (account.walletProven || !signed)) return { replaced: null }

  await changeAccount(trx, userId, {
    wallet: address,
    walletKey: address.toLowerCase(),
    walletProven: signed !== undefined,
    walletProvenAt: signed ? sql`now()` : null,
    walletSteppedUp: true,
    ...(same ? {} : { walletLinkedAt: sql`now()` }),
    ...(startsWaiting({ former: account.wallet, address }) ? { withdrawalsWaitSince: sql`now()` } : {}),
  })
  if (!same) await alertOwner(trx, account, { what: 'wallet_changed', to: address }, mailTokenKeys)
  return { replaced: same ? null : account.wallet }
}

/** Locks the caller's account and the address holder's, ordered by id to prevent deadlocks. */
async function lockBoth(trx: Transaction<Database>, userId: string, holderId: string | undefined) {
  if (holderId === undefined || holderId === userId) return { account: await lockOwnAccount(trx, userId) }
  if (holderId > userId) {
    const account = await lockOwnAccount(trx, userId)
    return { account, holder: await lockAccount(trx, holderId) }
  }
  const holder = await lockAccount(trx, holderId)
  return { account: await lockOwnAccount(trx, userId), holder }
}
