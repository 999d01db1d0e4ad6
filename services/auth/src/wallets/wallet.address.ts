import { getAddress } from 'ethers/address'
import { verifyMessage } from 'ethers/hash'
import { invalidAddress, isUnusable } from './wallet.ts'

/**
 * The checksummed form (EIP-55) of an address that can be a user's wallet. Refuses names, ICAP forms, a wrong checksum
 * and `denied` addresses: tokens sent to a wrong address are lost.
 */
export function parseWallet(sent: string, denied: string[]): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(sent)) throw invalidAddress()
  let address: string
  try {
    address = getAddress(sent)
  } catch {
    throw invalidAddress()
  }
  const key = address.toLowerCase()
  if (isUnusable(key) || denied.some((other) => other.toLowerCase() === key)) throw invalidAddress()
  return address
}

/** True when the key of this address signed exactly this text. A contract has no key: see `openContractWallets`. */
export function isSignedByKey(address: string, message: string, signature: string): boolean {
  try {
    return verifyMessage(message, signature) === address
  } catch {
    return false
  }
}
