import { randomBytes } from 'node:crypto'
import { securityNoticed } from '@nifty/events/auth'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import { changeAccount, lockOwnAccount } from '../accounts/account.actions.ts'
import { lockAccount } from '../accounts/account.store.ts'
import type { LivingAccount } from '../accounts/account.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import { moment } from '../moment.ts'
import { hasSigned } from './wallet.address.ts'
import { CHALLENGE_LIFE_S, findWalletHolder, saveChallenge, takeChallenge } from './wallet.store.ts'
import { alreadyLinked, challengeText, invalidProof, mayTake } from './wallet.ts'

type Proof = { message: string; signature: string }

/** Hands out the text to sign before an address is linked with proof. */
export async function challengeWallet(
  trx: Transaction<Database>,
  { publicUrl, chainId }: Pick<Config, 'publicUrl' | 'chainId'>,
  { userId, address }: { userId: string; address: string },
) {
  const { username } = await lockOwnAccount(trx, userId)
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_LIFE_S * 1000)
  const nonce = randomBytes(16).toString('hex')
  const message = challengeText({ publicUrl, chainId, address, username, nonce, issuedAt, expiresAt })
  await saveChallenge(trx, { accountId: userId, address, message })
  return { message, expiresAt: expiresAt.toISOString() }
}

/**
 * Links an address to an account; the one it had before is free again. A signed claim takes an address from an account
 * that merely claimed it. Returns the address that was replaced, if any.
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
    await noticeWallet(trx, holder)
  }
  const same = account.wallet === address
  const walletProven = proof !== undefined || (same && account.walletProven)
  if (same && walletProven === account.walletProven) return { replaced: null }

  await changeAccount(trx, userId, { wallet: address, walletKey: address.toLowerCase(), walletProven })
  if (!same) await noticeWallet(trx, account)
  return { replaced: same ? null : account.wallet }
}

/** Locks the caller and whoever holds the address, always in the same order. */
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
  const asked = await takeChallenge(trx, { accountId: userId, address, message: proof.message })
  if (!asked || !hasSigned(address, proof.message, proof.signature)) throw invalidProof()
}

const noticeWallet = (trx: Transaction<Database>, { id, email, firstName }: LivingAccount) =>
  publishEvent(trx, securityNoticed, { userId: id, email, firstName, what: 'wallet_changed', at: moment() })
