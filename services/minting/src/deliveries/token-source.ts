import type { Kysely } from 'kysely'
import { custodyAccountOf } from '../accounts/account.store.ts'
import type { DeliveryLine } from '../chain/calls.ts'
import { keyOf } from '../chain/keys.ts'
import type { At } from '../chain/node.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import type { Database } from '../db.ts'
import { findPermit } from '../permits/permit.store.ts'
import { findToken } from '../tokens/token.store.ts'

export type Source = DeliveryLine['from']
type NoSource = 'unknown_token' | 'not_owner' | 'permit_required'

/**
 * Where a delivery takes the token from, as of a block: the custody, if the owner is the beneficiary, or the
 * owner's wallet, under a permit that is valid until `until` and was submitted after `permittedSince`.
 */
export async function findSource(
  { db, node, contracts }: Pick<ChainContext, 'node' | 'contracts'> & { db: Kysely<Database> },
  { token, ownerId, until, permittedSince }: { token: string; ownerId: string; until: Date; permittedSince?: Date },
  at: At,
): Promise<Source | NoSource> {
  const known = await findToken(db, token)
  if (!known) return 'unknown_token'
  const id = BigInt(known.identifier)
  const holder = await node.holderOf(id, at)
  if (!holder) return 'unknown_token'

  if (holder === contracts.delivery) {
    const account = await custodyAccountOf(db, ownerId)
    if (!account || (await node.beneficiaryOf(id, at)) !== keyOf(account)) return 'not_owner'
    return { account: keyOf(account) }
  }
  const wallet = holder.toLowerCase()
  if (known.ownerId !== ownerId || known.wallet !== wallet) return 'not_owner'
  const permit = await findPermit(db, token)
  if (!permit || permit.wallet !== wallet || permit.deadline <= until) return 'permit_required'
  if (permittedSince && permit.createdAt <= permittedSince) return 'permit_required'
  if (BigInt(permit.nonce) !== (await node.permitNonce(id, at))) return 'permit_required'
  const deadline = Math.floor(permit.deadline.getTime() / 1000)
  return { wallet: holder, permit: { deadline, signature: permit.signature } }
}
