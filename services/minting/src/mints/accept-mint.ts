import { conflict, ExpectedError, tooMany } from '@nifty/service-kit/errors'
import type { Kysely } from 'kysely'
import { findAccount } from '../accounts/account.store.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import type { Gallery } from '../images/image-store.ts'
import type { Upload } from './mint.form.ts'
import { countRecentMints, findMintByKey, findOwnMint } from './mint.store.ts'
import { assertMayMint } from './mint.ts'

/**
 * Takes a work: its picture is on disk before its row is, so that an accepted mint can always be shown. Sent again
 * under the same key it answers the first mint.
 */
export async function acceptMint(
  deps: { db: Kysely<Database>; gallery: Gallery; config: Config; contract: string; forbiddenRecipients: string[] },
  request: { id: string; creatorId: string; idempotencyKey: string | null; upload: Upload },
) {
  const { db, gallery, config, contract } = deps
  const { id, creatorId, idempotencyKey, upload } = request
  const account = await findAccount(db, creatorId)
  assertMayMint(account)
  const { holder, ...work } = upload.fields
  const wallet = account?.wallet ?? null
  if (holder === 'wallet' && (!wallet || deps.forbiddenRecipients.includes(wallet)))
    throw conflict('wallet_required', 'Please connect your Metamask account.')

  const repeated = await findRepeated(db, request)
  if (repeated) return repeated
  if ((await countRecentMints(db, creatorId)) >= config.mintsPerHour) throw tooMany(600)

  const picture = await gallery.store(upload.bytes)
  await db
    .insertInto('mint')
    .values({
      ...{ ...work, ...picture, id, creatorId, idempotencyKey, requestHash: upload.hash },
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
  // The same request was faster elsewhere.
  await gallery.remove(picture.file)
  return (await findRepeated(db, request))!
}

async function findRepeated(
  db: Kysely<Database>,
  { creatorId, idempotencyKey, upload }: { creatorId: string; idempotencyKey: string | null; upload: Upload },
) {
  if (idempotencyKey === null) return undefined
  const first = await findMintByKey(db, creatorId, idempotencyKey)
  if (first && first.requestHash !== upload.hash)
    throw new ExpectedError('conflict', 'idempotency_key_reused', 'This Idempotency-Key belongs to another work')
  return first
}
