import { conflict, ExpectedError, tooMany } from '@nifty/service-kit/base/errors'
import type { Kysely } from 'kysely'
import { findAccount } from '../accounts/account.store.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import type { ImageStore } from '../images/image-store.ts'
import type { MintForm } from './mint.form.ts'
import { countRecentMints, findMintByKey, findOwnMint } from './mint.store.ts'

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
  if ((await countRecentMints(db, creatorId)) >= config.mintsPerHour) throw tooMany(600)

  const image = await images.store(form.bytes)
  await db
    .insertInto('mint')
    .values({
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
    })
    .onConflict((conflict) => conflict.columns(['creatorId', 'idempotencyKey']).doNothing())
    .execute()
  const mint = await findOwnMint(db, { id, creatorId })
  if (mint) return mint
  // A concurrent request with the same key was stored first.
  await images.remove(image.file)
  return (await findRepeated(db, request))!
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
