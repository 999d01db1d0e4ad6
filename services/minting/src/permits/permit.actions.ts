import { permitTypedData } from '../chain/permit.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { newDeadline } from './permit.ts'

/** The typed data that an owner signs, with the token's current nonce from the chain. */
export async function createTypedData(
  { node, contracts, chainId }: Pick<ChainContext, 'node' | 'contracts' | 'chainId'>,
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
