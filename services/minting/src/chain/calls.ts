import { getAddress, type TransactionLike, ZeroAddress, ZeroHash } from 'ethers'
import { collectionInterface, deliveryInterface } from './abi.ts'
import { encodeBeneficiary, encodePermit, type SignedPermit } from './permit.ts'

/** Target and data of a transaction. Its value is always zero. */
export type Call = { to: string; data: string }

/** `mintId` is bytes32; `account` is the custody account, when `to` is the delivery contract; `bps` are 0.01 %. */
export type MintOrder = {
  mintId: string
  to: string
  account?: string
  royalty?: { receiver: string; bps: number }
}

/** `lineId` is bytes32. `from` is a custody account, or a wallet with its permit. */
export type DeliveryLine = {
  lineId: string
  token: string
  id: bigint
  to: string
  from: { account: string } | { wallet: string; permit: SignedPermit }
}

export const mintCall = (collection: string, order: MintOrder): Call => ({
  to: collection,
  data: collectionInterface.encodeFunctionData('mint', [mintOrderTuple(order)]),
})

export const mintBatchCall = (collection: string, orders: MintOrder[]): Call => ({
  to: collection,
  data: collectionInterface.encodeFunctionData('mintBatch', [orders.map(mintOrderTuple)]),
})

export const deliverCall = (delivery: string, line: DeliveryLine): Call => ({
  to: delivery,
  data: deliveryInterface.encodeFunctionData('deliver', lineTuple(delivery, line)),
})

export const deliverManyCall = (delivery: string, lines: DeliveryLine[]): Call => ({
  to: delivery,
  data: deliveryInterface.encodeFunctionData('deliverMany', [lines.map((line) => lineTuple(delivery, line))]),
})

/** Uses a nonce without effect: the replacement that cancels a transaction. */
export const noOpCall = (signer: string): Call => ({ to: signer, data: '0x' })

/** An unsigned EIP-1559 transaction; fees in wei per gas. */
export function unsignedTransaction({
  call,
  ...fields
}: {
  call: Call
  chainId: number
  nonce: number
  gasLimit: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}): TransactionLike<string> {
  return { type: 2, value: 0n, ...call, ...fields }
}

const signableFunctions = {
  collection: ['mint', 'mintBatch'].map((name) => collectionInterface.getFunction(name)!.selector),
  delivery: ['deliver', 'deliverMany'].map((name) => deliveryInterface.getFunction(name)!.selector),
}

/** The signing policy: only mints, deliveries and no-ops, on our contracts and without value. */
export function isSignable(
  { to, data, value }: TransactionLike<string>,
  { collection, delivery, signer }: { collection: string; delivery: string; signer: string },
): boolean {
  if (!to || BigInt(value ?? 0) !== 0n) return false
  const [target, selector] = [getAddress(to), (data ?? '0x').slice(0, 10)]
  if (target === getAddress(signer)) return selector === '0x'
  if (target === getAddress(collection)) return signableFunctions.collection.includes(selector)
  return target === getAddress(delivery) && signableFunctions.delivery.includes(selector)
}

const mintOrderTuple = ({ mintId, to, account, royalty }: MintOrder) => [
  mintId,
  to,
  account ?? ZeroHash,
  royalty?.receiver ?? ZeroAddress,
  royalty?.bps ?? 0,
]

const lineTuple = (delivery: string, { lineId, token, id, to, from }: DeliveryLine) =>
  'account' in from
    ? [lineId, token, delivery, to, id, encodeBeneficiary(from.account)]
    : [lineId, token, from.wallet, to, id, encodePermit(from.permit)]
