import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { ExistingAccount } from '../accounts/account.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import { hasSigned } from './wallet.address.ts'
import { CHALLENGE_LIFETIME_S, consumeChallenge, saveChallenge } from './wallet.store.ts'
import { challengeText, invalidProof, type Purpose } from './wallet.ts'

export type WalletProof = { message: string; signature: string }

/** Issues a text for the wallet to sign. The caller holds the account's row lock. */
export async function issueChallenge(
  trx: Transaction<Database>,
  { publicUrl, chainId }: Pick<Config, 'publicUrl' | 'chainId'>,
  { account, address, purpose }: { account: ExistingAccount; address: string; purpose: Purpose },
) {
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_LIFETIME_S * 1000)
  const nonce = randomBytes(16).toString('hex')
  const { id, username } = account
  const message = challengeText({ purpose, publicUrl, chainId, address, username, nonce, issuedAt, expiresAt })
  await saveChallenge(trx, { accountId: id, purpose, address, message })
  return { message, expiresAt: expiresAt.toISOString() }
}

/** Throws `invalid_signature` unless the wallet signed the text that was issued. Ends the validity of the text. */
export async function checkProof(
  trx: Transaction<Database>,
  { userId, address, purpose, proof }: { userId: string; address: string; purpose: Purpose; proof: WalletProof },
) {
  const issued = await consumeChallenge(trx, { accountId: userId, purpose, address, message: proof.message })
  if (!issued || !hasSigned(address, proof.message, proof.signature)) throw invalidProof()
}
