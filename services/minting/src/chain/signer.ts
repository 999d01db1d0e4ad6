import { keccak256, Wallet } from 'ethers'
import { type Call, isSignable, unsignedTransaction } from './calls.ts'
import type { Contracts } from './log.ts'

/** Wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
export type Signature = { hash: string; raw: string }
export type Signer = ReturnType<typeof createSigner>

/**
 * The only place that holds the key. It signs mints and deliveries of our contracts and no-ops, and no more per minute
 * than it was told, so that a fault elsewhere cannot empty the lane's purse at once.
 */
export function createSigner({
  privateKey,
  chainId,
  contracts,
  perMinute,
}: {
  privateKey: string
  chainId: number
  contracts: Contracts
  perMinute: number
}) {
  const wallet = new Wallet(privateKey)
  let recent: number[] = []

  async function sign(wanted: Fees & { call: Call; nonce: number; gasLimit: bigint }): Promise<Signature> {
    const transaction = unsignedTransaction({ chainId, ...wanted })
    if (!isSignable(transaction, { ...contracts, signer: wallet.address }))
      throw new Error('The signing policy refuses this transaction')
    const now = performance.now()
    recent = recent.filter((at) => now - at < 60_000)
    if (recent.length >= perMinute) throw new Error('The signer has signed as often as it may this minute')
    recent.push(now)
    const raw = await wallet.signTransaction(transaction)
    return { raw, hash: keccak256(raw) }
  }

  return { address: wallet.address, sign }
}
