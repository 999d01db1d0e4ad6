import { uuidOf } from '@nifty/contracts/keys'
import type { Contracts } from '@nifty/contracts/log'
import { tokenMinted } from '@nifty/events/minting'
import { tokenOf } from '@nifty/events/shapes'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { imagePath } from '../images/image.ts'
import { addToken } from '../tokens/token.store.ts'
import { lockMint, updateMint } from './mint.store.ts'

/**
 * A final block has the token. A token without a mint of this database is indexed, and `token-minted` is not published.
 */
export async function finishMint(
  trx: Transaction<Database>,
  { mintId, id }: { mintId: string; id: bigint },
  { txHash, at }: { txHash: string; at: Date },
  { collection }: Contracts,
) {
  const uuid = uuidOf(mintId)
  const mint = uuid ? await lockMint(trx, uuid) : undefined
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
