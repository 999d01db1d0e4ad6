import { type Call, isSignable, unsignedTransaction } from '@nifty/contracts/calls'
import type { Contracts } from '@nifty/contracts/log'
import { keccak256, Wallet } from 'ethers'

/** Wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
export type Signature = { hash: string; raw: string }
export type Signer = {
  address: string
  sign: (wanted: Fees & { call: Call; nonce: number; gasLimit: bigint }) => Promise<Signature>
}
export type Signers = ReturnType<typeof createSigners>

const MINUTE_MS = 60_000

/**
 * The only module with the private keys. They sign mints, deliveries and no-ops, together at most `perMinute` of them,
 * so that a fault elsewhere cannot spend their balances at once. `now` is a monotonic clock in milliseconds.
 */
export function createSigners({
  privateKeys,
  chainId,
  contracts,
  perMinute,
  now = () => performance.now(),
}: {
  privateKeys: string[]
  chainId: number
  contracts: Contracts
  perMinute: number
  now?: () => number
}) {
  let recent: number[] = []
  const countSignature = () => {
    recent = recent.filter((at) => now() - at < MINUTE_MS)
    if (recent.length >= perMinute) throw new Error('The signers have reached CHAIN_SIGNATURES_PER_MINUTE')
    recent.push(now())
  }

  const signers = privateKeys.map((privateKey): Signer => {
    const wallet = new Wallet(privateKey)
    return {
      address: wallet.address,
      sign: async (wanted) => {
        const transaction = unsignedTransaction({ chainId, ...wanted })
        if (!isSignable(transaction, { ...contracts, signer: wallet.address }))
          throw new Error('The signing policy refuses this transaction')
        countSignature()
        const raw = await wallet.signTransaction(transaction)
        return { raw, hash: keccak256(raw) }
      },
    }
  })

  return {
    /** Checksummed, in the order of the configuration. */
    addresses: signers.map(({ address }) => address),
    /** Undefined when this process does not have the key. */
    find: (address: string) => signers.find((signer) => signer.address === address),
  }
}
