import { permitTypedData } from '../chain/permit.ts'
import type { Lane } from '../chain-transactions/chain-context.ts'
import { findToken } from '../tokens/token.store.ts'
import { newDeadline, tokenNotFound } from './permit.ts'

/** What an owner signs; the nonce is the token's present one on the chain. */
export async function typedDataFor(
  { node, contracts, chainId }: Pick<Lane, 'node' | 'contracts' | 'chainId'>,
  token: string,
  deadline = newDeadline(new Date()),
) {
  const tokenId = BigInt(token.split('/')[1]!)
  const nonce = await node.permitNonce(tokenId)
  const seconds = deadline.getTime() / 1000
  const { collection, delivery } = contracts
  return {
    deadline,
    nonce,
    typedData: permitTypedData({ chainId, collection, delivery, tokenId, nonce, deadline: seconds }),
  }
}

export async function findOwnToken({ db, contracts }: Lane, contract: string, identifier: string) {
  if (contract.toLowerCase() !== contracts.collection.toLowerCase()) throw tokenNotFound()
  const token = await findToken(db, `${contract.toLowerCase()}/${identifier}`)
  if (!token) throw tokenNotFound()
  return token
}
