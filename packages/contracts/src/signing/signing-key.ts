import type { Signature } from 'ethers'

/** A secp256k1 key that signs for an address. It is in this process, or in a key management service. */
export type SigningKey = {
  /** Checksummed. It is part of the setting, so that a process also starts while the service does not respond. */
  address: string
  /** Whether `sign` makes a request. */
  isRemote: boolean
  /**
   * Signs 32 bytes, `0x…`. The signature is one of `address`, and its `s` is in the lower half (EIP-2). Throws for a
   * service that refuses, does not respond in time, or has another key.
   */
  sign: (digest: string) => Promise<Signature>
}
