import { type Call, isSignable, unsignedTransaction } from '@nifty/contracts/calls'
import type { Contracts } from '@nifty/contracts/log'
import type { SigningKey } from '@nifty/contracts/signing/signing-key'
import type { Log } from '@nifty/service-kit/base/logs'
import { Transaction } from 'ethers'
import { watchKey } from './watched-key.ts'

/** Wei per gas. */
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
export type Signature = { hash: string; raw: string }
export type Signer = {
  address: string
  /** False while the service that has its key does not sign; the answer is at most 30 s old. */
  isAvailable: () => Promise<boolean>
  sign: (wanted: Fees & { call: Call; nonce: number; gasLimit: bigint }) => Promise<Signature>
}
export type Signers = ReturnType<typeof createSigners>

const MINUTE_MS = 60_000

/**
 * The only module that signs. The keys sign mints, deliveries and no-ops, together at most `perMinute` of them,
 * so that a fault elsewhere cannot spend their balances at once. `now` is a monotonic clock in milliseconds.
 */
export function createSigners({
  keys,
  chainId,
  contracts,
  perMinute,
  log,
  now = () => performance.now(),
}: {
  keys: SigningKey[]
  chainId: number
  contracts: Contracts
  perMinute: number
  log: Log
  now?: () => number
}) {
  let recent: number[] = []
  const countSignature = () => {
    recent = recent.filter((at) => now() - at < MINUTE_MS)
    if (recent.length >= perMinute) throw new Error('The signers have reached CHAIN_SIGNATURES_PER_MINUTE')
    recent.push(now())
  }

  const signers = keys.map((key): Signer => {
    const { address, isAvailable, sign } = watchKey(key, { log, now })
    return {
      address,
      isAvailable,
      sign: async (wanted) => {
        const unsigned = unsignedTransaction({ chainId, ...wanted })
        if (!isSignable(unsigned, { ...contracts, signer: address }))
          throw new Error('The signing policy refuses this transaction')
        countSignature()
        const transaction = Transaction.from(unsigned)
        transaction.signature = await sign(transaction.unsignedHash)
        return { raw: transaction.serialized, hash: transaction.hash! }
      },
    }
  })

  return {
    /** Checksummed, in the order of the configuration. */
    addresses: signers.map(({ address }) => address),
    /** Those whose key can sign now. */
    available: async () => {
      const isAvailable = await Promise.all(signers.map((signer) => signer.isAvailable()))
      return signers.filter((_, index) => isAvailable[index]).map(({ address }) => address)
    },
    /** Undefined when this process does not have the key. */
    find: (address: string) => signers.find((signer) => signer.address === address),
  }
}
