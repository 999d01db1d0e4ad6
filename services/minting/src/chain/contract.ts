import { Contract, type ContractMethod, type ContractRunner } from 'ethers'
import { collectionAbi, deliveryAbi } from './abi.ts'

type FunctionName<Line> = Line extends `function ${infer Name}(${string}` ? Name : never
/** ethers finds functions at run time; the type knows their names, so that a misspelt one does not compile. */
type Known<Abi extends readonly string[]> = Contract & { [Name in FunctionName<Abi[number]>]: ContractMethod }

export type CollectionContract = Known<typeof collectionAbi>
export type DeliveryContract = Known<typeof deliveryAbi>

/** To ask the collection (with a provider as runner) or to send it a transaction (with a wallet). */
export const collectionAt = (address: string, runner: ContractRunner) =>
  new Contract(address, collectionAbi, runner) as CollectionContract

export const deliveryAt = (address: string, runner: ContractRunner) =>
  new Contract(address, deliveryAbi, runner) as DeliveryContract
