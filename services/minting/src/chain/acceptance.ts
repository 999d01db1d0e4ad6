import { collectionAt, deliveryAt } from '@nifty/contracts/contract'
import type { Contracts } from '@nifty/contracts/log'
import type { JsonRpcProvider } from 'ethers'
import type { At } from './block.ts'

/**
 * Whether a contract of the store accepts calls of a signer with this many moves: its role and, for deliveries, the
 * collection and the moves left in the hour. Read from the state: a recipient's code can revert with the same errors.
 */
export async function readAcceptance(
  provider: JsonRpcProvider,
  { collection, delivery }: Contracts,
  { to, signer, at, moves }: { to: string; signer: string; at: At; moves: number },
): Promise<boolean> {
  const block = { blockTag: at }
  if (to === collection) return collectionAt(collection, provider).isSigner!(signer, block)
  const contract = deliveryAt(delivery, provider)
  const [isSigner, isCollection, movesLeft] = await Promise.all([
    contract.isSigner!(signer, block),
    contract.isCollection!(collection, block),
    contract.movesLeft!(signer, block),
  ])
  return isSigner && isCollection && movesLeft >= BigInt(moves)
}
