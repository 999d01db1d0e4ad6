import { collectionAt, deliveryAt } from '@nifty/contracts/contract'
import type { Contracts } from '@nifty/contracts/log'
import type { JsonRpcProvider } from 'ethers'
import type { At } from './block.ts'

/**
 * Whether a contract of the store accepts calls of a signer with this many tokens: its role, the tokens left in the
 * hour and, for deliveries, the collection. Read from the state: a recipient's code can revert with the same errors.
 */
export async function readAcceptance(
  provider: JsonRpcProvider,
  { collection, delivery }: Contracts,
  { to, signer, at, tokens }: { to: string; signer: string; at: At; tokens: number },
): Promise<boolean> {
  const block = { blockTag: at }
  const [custody, works] = [deliveryAt(delivery, provider), collectionAt(collection, provider)]
  const contract = to === collection ? works : custody
  const [isSigner, left, isCollection] = await Promise.all([
    contract.isSigner!(signer, block),
    contract.leftInHour!(signer, block),
    to === collection || custody.isCollection!(collection, block),
  ])
  return isSigner && isCollection && left >= BigInt(tokens)
}
