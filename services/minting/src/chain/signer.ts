import { keccak256, Wallet } from 'ethers'
import { type Call, isSignable, unsignedTransaction } from './calls.ts'
import type { Contracts } from './log.ts'

/** Wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
export type Signature = { hash: string; raw: string }
export type Signer = ReturnType<typeof createSigner>

/**
 * The only module with the private key. It signs mints, deliveries and no-ops, at most `perMinute` of them, so that a
 * fault elsewhere cannot spend the signer's balance at once.
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
    if (recent.length >= perMinute) throw new Error('The signer has reached CHAIN_SIGNATURES_PER_MINUTE')
    recent.push(now)
    const raw = await wallet.signTransaction(transaction)
    return { raw, hash: keccak256(raw) }
  }

  return { address: wallet.address, sign }
}
