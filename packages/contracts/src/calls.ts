import { getAddress, type TransactionLike, ZeroAddress, ZeroHash } from 'ethers'
import { collectionInterface, deliveryInterface } from './abi.ts'
import { encodeBeneficiary, encodePermit, type SignedPermit } from './permit.ts'

/** Target and data of a transaction. Its value is always zero. */
export type Call = { to: string; data: string }

/**
 * `mintId` is bytes32; `account` is the custody account, when `to` is the delivery contract; `bps` are 0.01 %, at most
 * 5,000. `imageSha256` (bytes32) of the master file and `name` of the work stand in the log for ever.
 */
export type MintOrder = {
  mintId: string
  to: string
  account?: string
  royalty?: { receiver: string; bps: number }
  imageSha256: string
  name: string
}

/**
 * `lineId` is bytes32. `to` is a wallet or a custody account; `from` a custody account, or a wallet with its permit.
 */
export type DeliveryLine = {
  lineId: string
  token: string
  id: bigint
  to: string | { account: string }
  from: { account: string } | { wallet: string; permit: SignedPermit }
  /** A gift, from one custody account to another: `changeBeneficiary`. In a transaction of its own. */
  isGift?: boolean
}

export const mintCall = (collection: string, order: MintOrder): Call => ({
  to: collection,
  data: collectionInterface.encodeFunctionData('mint', [mintOrderTuple(order)]),
})

export const mintBatchCall = (collection: string, orders: MintOrder[]): Call => ({
  to: collection,
  data: collectionInterface.encodeFunctionData('mintBatch', [orders.map(mintOrderTuple)]),
})

/** `deliver`, or `deliverToCustody` for a line to a custody account, or `changeBeneficiary` for a gift. */
export function deliverCall(delivery: string, line: DeliveryLine): Call {
  if (line.isGift) return giftCall(delivery, line)
  const [lineId, token, from, to, account, id, permit] = lineTuple(delivery, line)
  const data =
    typeof line.to === 'string'
      ? deliveryInterface.encodeFunctionData('deliver', [lineId, token, from, to, id, permit])
      : deliveryInterface.encodeFunctionData('deliverToCustody', [lineId, token, from, account, id, permit])
  return { to: delivery, data }
}

function giftCall(delivery: string, { lineId, token, id, from, to }: DeliveryLine): Call {
  if (typeof to === 'string' || !('account' in from)) throw new Error('A gift stays in custody')
  const args = [lineId, token, id, from.account, to.account]
  return { to: delivery, data: deliveryInterface.encodeFunctionData('changeBeneficiary', args) }
}

export const deliverManyCall = (delivery: string, lines: DeliveryLine[]): Call => ({
  to: delivery,
  data: deliveryInterface.encodeFunctionData('deliverMany', [lines.map((line) => lineTuple(delivery, line))]),
})

/**
 * The gas limit of one delivery or mint: what the contract gives to an entry of a batch (300,000), its data and its
 * log.
 */
export const GAS_PER_ENTRY = 320_000n

/**
 * A gas limit with which no entry of a batch can use up the gas of the others: recipients that are cheap in an estimate
 * may burn all that the contract gives to an entry.
 */
export const batchGas = (entries: number) => 100_000n + BigInt(entries) * GAS_PER_ENTRY

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
  delivery: ['deliver', 'deliverToCustody', 'deliverMany', 'changeBeneficiary'].map(
    (name) => deliveryInterface.getFunction(name)!.selector,
  ),
}

/** The signing policy: only mints, deliveries, gifts and no-ops, on our contracts and without value. */
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

const mintOrderTuple = ({ mintId, to, account, royalty, imageSha256, name }: MintOrder) => [
  mintId,
  to,
  account ?? ZeroHash,
  royalty?.receiver ?? ZeroAddress,
  royalty?.bps ?? 0,
  imageSha256,
  name,
]

/** The contract's `Line`: of `to` and `account` one is zero. */
function lineTuple(delivery: string, { lineId, token, id, to, from }: DeliveryLine) {
  const [holder, permit] =
    'account' in from ? [delivery, encodeBeneficiary(from.account)] : [from.wallet, encodePermit(from.permit)]
  const [wallet, account] = typeof to === 'string' ? [to, ZeroHash] : [ZeroAddress, to.account]
  return [lineId, token, holder, wallet, account, id, permit] as const
}
