import { conflict, ExpectedError, tooMany } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Kysely } from 'kysely'
import { findAccount, lockAccount } from '../accounts/account.store.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import type { ImageStore } from '../images/image-store.ts'
import type { MintForm } from './mint.form.ts'
import { addMint, countRecentMints, findMintByKey, findOwnMint } from './mint.store.ts'

/**
 * Stores the image, then the row, so that an accepted mint always has its image. A repeated request with the same
 * Idempotency-Key returns the first mint.
 */
export async function acceptMint(
  deps: { db: Kysely<Database>; images: ImageStore; config: Config; contract: string; forbiddenRecipients: string[] },
  request: { id: string; creatorId: string; idempotencyKey: string | null; form: MintForm },
) {
  const { db, images, config, contract } = deps
  const { id, creatorId, idempotencyKey, form } = request
  const account = await findAccount(db, creatorId)
  const { holder, ...work } = form.fields
  const wallet = account?.wallet ?? null
  if (holder === 'wallet' && (!wallet || deps.forbiddenRecipients.includes(wallet)))
    throw conflict('wallet_required', 'Please connect your Metamask account.')

  const repeated = await findRepeated(db, request)
  if (repeated) return repeated
  await refuseExcessMints(db, creatorId, config)

  const image = await images.store(creatorId, form.bytes)
  const mint = {
    ...work,
    ...image,
    id,
    creatorId,
    idempotencyKey,
    requestHash: form.hash,
    wallet: holder === 'wallet' ? wallet : null,
    royaltyBps: config.royaltyBps,
    royaltyWallet: wallet,
    contract,
    transactionId: null,
    identifier: null,
    txHash: null,
    failure: null,
  }
  try {
    const isStored = await inTransaction(db, async (trx) => {
      // Those of the same creator one after another: they were counted before their images were stored.
      await lockAccount(trx, creatorId)
      if (await findRepeated(trx, request)) return false
      await refuseExcessMints(trx, creatorId, config)
      await addMint(trx, mint)
      return true
    })
    if (isStored) return (await findOwnMint(db, { id, creatorId }))!
  } catch (error) {
    // After any other error the mint may be stored.
    if (error instanceof ExpectedError) await images.remove(image.file)
    throw error
  }
  // A concurrent request with the same key was stored first.
  await images.remove(image.file)
  return (await findRepeated(db, request))!
}

/** Throws 429 for a creator who has reached the limit of an hour. */
async function refuseExcessMints(db: Kysely<Database>, creatorId: string, { mintsPerHour }: Config) {
  if ((await countRecentMints(db, creatorId)) >= mintsPerHour) throw tooMany(600)
}

async function findRepeated(
  db: Kysely<Database>,
  { creatorId, idempotencyKey, form }: { creatorId: string; idempotencyKey: string | null; form: MintForm },
) {
  if (idempotencyKey === null) return undefined
  const first = await findMintByKey(db, creatorId, idempotencyKey)
  if (first && first.requestHash !== form.hash)
    throw new ExpectedError('conflict', 'idempotency_key_reused', 'This Idempotency-Key belongs to another work')
  return first
}
