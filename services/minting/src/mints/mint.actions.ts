import { isDeepStrictEqual } from 'node:util'
import { uuidOf } from '@nifty/contracts/keys'
import type { CommittedWork, Contracts } from '@nifty/contracts/log'
import { tokenMinted } from '@nifty/events/minting'
import { tokenOf } from '@nifty/events/shapes'
import type { Log } from '@nifty/service-kit/base/logs'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { imagePath } from '../images/image.ts'
import { addToken } from '../tokens/token.store.ts'
import { lockMint, updateMint } from './mint.store.ts'
import { commitmentOf } from './mint.ts'

/**
 * A final block has the token. A token without a mint of this database, or that commits to another work than its mint,
 * is indexed, and `token-minted` is not published.
 */
export async function finishMint(
  trx: Transaction<Database>,
  { mintId, id, work }: { mintId: string; id: bigint; work: CommittedWork },
  { txHash, at }: { txHash: string; at: Date },
  { collection }: Contracts,
  log: Log,
) {
  const uuid = uuidOf(mintId)
  const named = uuid ? await lockMint(trx, uuid) : undefined
  const mint = named && isDeepStrictEqual(commitmentOf(named), work) ? named : undefined
  if (named && !mint)
    log.error(
      { alarm: 'unexpected_mint', mintId: named.id, txHash, work },
      'the chain minted a work with another name or image than stored, see pnpm ops reconcile',
    )
  const identifier = String(id)
  const token = tokenOf(collection, identifier)
  await addToken(trx, { token, contract: collection, identifier, mintId: mint?.id ?? null })
  if (!mint || mint.state === 'minted') return

  await updateMint(trx, mint.id, { state: 'minted', identifier, txHash, failure: null })
  await publishEvent(trx, tokenMinted, {
    token,
    contract: collection,
    identifier,
    itemId: mint.id,
    creatorId: mint.creatorId,
    name: mint.name,
    description: mint.description,
    category: mint.category,
    picture: { path: imagePath(mint.file), width: mint.width, height: mint.height, color: mint.color },
    royaltyBps: mint.royaltyBps,
    priceCents: mint.priceCents,
    txHash,
    at: at.toISOString(),
  })
}

/** A final block has the `MintRefused` log: the recipient accepts no tokens. `key` is the mint id on the chain. */
export async function failMint(trx: Transaction<Database>, key: string, failure: string) {
  const id = uuidOf(key)
  const mint = id ? await lockMint(trx, id) : undefined
  if (mint?.state === 'minting') await updateMint(trx, mint.id, { state: 'failed', failure })
}

/** `alone`: it gets a transaction of its own. */
export const requeueMint = (trx: Transaction<Database>, id: string, changes: { alone?: boolean }) =>
  updateMint(trx, id, { ...changes, state: 'accepted', transactionId: null })
