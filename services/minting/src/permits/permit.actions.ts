import { permitTypedData } from '@nifty/contracts/permit'
import type { passwordReset } from '@nifty/events/auth'
import type { itemDelisted } from '@nifty/events/catalog'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import type { Database } from '../db.ts'
import { setDelisted } from '../withdrawals/withdrawal.store.ts'
import { removePermitsOf, removePermitUntil } from './permit.store.ts'
import { newDeadline } from './permit.ts'

/** The typed data that an owner signs, with the token's current nonce from the chain. */
export async function createTypedData(
  { node, contracts, chainId }: Pick<ChainContext, 'node' | 'contracts' | 'chainId'>,
  token: string,
  deadline = newDeadline(new Date()),
) {
  const tokenId = BigInt(token.split('/')[1]!)
  const [nonce, { name }] = await Promise.all([node.permitNonce(tokenId), node.collectionNaming()])
  const seconds = deadline.getTime() / 1000
  const { collection, delivery } = contracts
  return {
    deadline,
    nonce,
    typedData: permitTypedData({ name, chainId, collection, delivery, tokenId, nonce, deadline: seconds }),
  }
}

/**
 * A delisting by the owner ends the permit: nothing is to be sold under it any more. A price change is no delisting.
 */
export async function applyDelisting(
  trx: Transaction<Database>,
  { token, reason, at }: Static<typeof itemDelisted.data>,
) {
  await setDelisted(trx, token)
  if (reason === 'owner') await removePermitUntil(trx, token, new Date(at))
}

/** Somebody else may have had the account: the owner signs again for whatever is to be sold. */
export async function applyPasswordReset(
  trx: Transaction<Database>,
  { userId, at }: Static<typeof passwordReset.data>,
) {
  await removePermitsOf(trx, userId, new Date(at))
}
