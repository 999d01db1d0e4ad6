import { randomBytes } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { ExistingAccount } from '../accounts/account.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import type { ContractWallets } from './contract-wallet.ts'
import { isSignedByKey } from './wallet.address.ts'
import { CHALLENGE_LIFETIME_S, consumeChallenge, isChallengeIssued, saveChallenge } from './wallet.store.ts'
import { challengeText, invalidProof, type Purpose } from './wallet.ts'

export type WalletProof = { message: string; signature: string }

/** A text whose signature was verified. */
export type SignedChallenge = { message: string; isSigned: true }

type ProofOf = { userId: string; address: string; purpose: Purpose }

/** Issues a text for the wallet to sign. The caller holds the account's row lock. */
export async function issueChallenge(
  trx: Transaction<Database>,
  config: Pick<Config, 'publicUrl' | 'storeName' | 'chainId'>,
  { account, address, purpose }: { account: ExistingAccount; address: string; purpose: Purpose },
) {
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + CHALLENGE_LIFETIME_S * 1000)
  const nonce = randomBytes(16).toString('hex')
  const { id, username } = account
  const { publicUrl, storeName, chainId } = config
  const times = { issuedAt, expiresAt }
  const message = challengeText({ purpose, publicUrl, storeName, chainId, address, username, nonce, ...times })
  await saveChallenge(trx, { accountId: id, purpose, address, message })
  return { message, expiresAt: expiresAt.toISOString() }
}

/**
 * Throws `invalid_signature` unless the wallet signed a text that was issued for this. Called before the transaction
 * that ends the text's validity (`consumeProof`), because it may ask a node of the chain.
 */
export async function verifyProof(
  { db, contractWallets }: { db: Kysely<Database>; contractWallets: ContractWallets | undefined },
  { proof: { message, signature }, ...of }: ProofOf & { proof: WalletProof },
): Promise<SignedChallenge> {
  const { address, userId } = of
  const isSigned =
    isSignedByKey(address, message, signature) ||
    (contractWallets !== undefined &&
      /^0x([0-9a-f]{2})+$/i.test(signature) &&
      (await isChallengeIssued(db, { ...of, accountId: userId, message })) &&
      (await contractWallets.accepts({ address, message, signature }, userId)))
  if (!isSigned) throw invalidProof()
  return { message, isSigned }
}

/** Ends the validity of a text. Throws `invalid_signature` unless it was issued for this, and not used since. */
export async function consumeProof(
  trx: Transaction<Database>,
  { userId, address, purpose, signed }: ProofOf & { signed: SignedChallenge },
) {
  const issued = await consumeChallenge(trx, { accountId: userId, purpose, address, message: signed.message })
  if (!issued) throw invalidProof()
}
