import { computeAddress, SigningKey as Secp256k1Key } from 'ethers'
import type { SigningKey } from './signing-key.ts'

/** A key in this process: 0x and 64 hex digits. */
export function localKey(privateKey: string): SigningKey {
  const key = new Secp256k1Key(privateKey)
  return { address: computeAddress(key.publicKey), isRemote: false, sign: async (digest) => key.sign(digest) }
}
