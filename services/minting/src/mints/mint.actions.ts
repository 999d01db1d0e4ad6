import { tokenMinted } from '@nifty/events/minting'
import { tokenOf } from '@nifty/events/shapes'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import { uuidOf } from '../chain/keys.ts'
import type { Contracts } from '../chain/log.ts'
import type { Database } from '../db.ts'
import { imagePath } from '../images/image.ts'
import { addToken } from '../tokens/token.store.ts'
import { changeMint, lockMint } from './mint.store.ts'
import type { Mint } from './mint.ts'

/** A final block has the token. One that we know no work for is followed, but never announced. */
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

  await changeMint(trx, mint.id, { state: 'minted', identifier, txHash, failure: null })
  await publishEvent(trx, tokenMinted, {
    ...{ token, contract: collection, identifier, itemId: mint.id, creatorId: mint.creatorId },
    ...{ name: mint.name, description: mint.description, category: mint.category },
    picture: { path: imagePath(mint.file), width: mint.width, height: mint.height, color: mint.color },
    royaltyBps: mint.royaltyBps,
    priceCents: mint.priceCents,
    txHash,
    at: at.toISOString(),
  })
}

/** The chain would not make this token, finally: its recipient takes none. `key` names the mint on the chain. */
export async function failMint(trx: Transaction<Database>, key: string, failure: string) {
  const id = uuidOf(key)
  const mint = id ? await lockMint(trx, id) : undefined
  if (mint?.state === 'minting') await changeMint(trx, mint.id, { state: 'failed', failure })
}

/** A batch that reverted as a whole tried none of its works: each goes alone. One that was alone is over. */
export async function settleRevertedMints(trx: Transaction<Database>, mints: Mint[]) {
  const [only, ...others] = mints
  if (only && others.length === 0) await changeMint(trx, only.id, { state: 'failed', failure: 'reverted' })
  else await putMintsBack(trx, mints, { alone: true })
}

export async function putMintsBack(trx: Transaction<Database>, mints: Mint[], changes: { alone?: boolean }) {
  for (const { id } of mints) await changeMint(trx, id, { ...changes, state: 'accepted', transactionId: null })
}
