import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import { changeAccount, lockOwnAccount } from '../accounts/account.actions.ts'
import { publishSecurityNotice } from '../accounts/account.events.ts'
import { lockAccount } from '../accounts/account.store.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import { hasSigned } from './wallet.address.ts'
import { CHALLENGE_LIFETIME_S, consumeChallenge, findWalletHolder, saveChallenge } from './wallet.store.ts'
import { alreadyLinked, challengeText, invalidProof, mayTake } from './wallet.ts'

type Proof = { message: string; signature: string }

/** Issues the text that proves the wallet when signed. */
export async function challengeWallet(
  trx: Transaction<Database>,
  { publicUrl, chainId }: Pick<Config, 'publicUrl' | 'chainId'>,
  { userId, address }: { userId: string; address: string },
) {
  const { username } = await lockOwnAccount(trx, userId)
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_LIFETIME_S * 1000)
  const nonce = randomBytes(16).toString('hex')
  const message = challengeText({ publicUrl, chainId, address, username, nonce, issuedAt, expiresAt })
  await saveChallenge(trx, { accountId: userId, address, message })
  return { message, expiresAt: expiresAt.toISOString() }
}

/**
 * Links an address to an account and unlinks its previous one. With a signature it also takes the address from an
 * account that linked it without one. Returns the replaced address, if any.
 */
export async function linkWallet(
  trx: Transaction<Database>,
  { userId, address, proof }: { userId: string; address: string; proof: Proof | undefined },
): Promise<{ replaced: string | null }> {
  const holderId = await findWalletHolder(trx, address)
  const { account, holder } = await lockBoth(trx, userId, holderId)
  if (proof) await checkProof(trx, { userId, address, proof })

  if (holder && holder.wallet === address) {
    if (!mayTake({ holderProven: holder.walletProven, signed: proof !== undefined })) throw alreadyLinked()
    await changeAccount(trx, holder.id, { wallet: null, walletKey: null, walletProven: false })
    await publishSecurityNotice(trx, holder, 'wallet_changed')
  }
  const same = account.wallet === address
  const walletProven = proof !== undefined || (same && account.walletProven)
  if (same && walletProven === account.walletProven) return { replaced: null }

  await changeAccount(trx, userId, { wallet: address, walletKey: address.toLowerCase(), walletProven })
  if (!same) await publishSecurityNotice(trx, account, 'wallet_changed')
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

async function checkProof(
  trx: Transaction<Database>,
  { userId, address, proof }: { userId: string; address: string; proof: Proof },
) {
  const issued = await consumeChallenge(trx, { accountId: userId, address, message: proof.message })
  if (!issued || !hasSigned(address, proof.message, proof.signature)) throw invalidProof()
}
