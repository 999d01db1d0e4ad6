import { getAddress } from 'ethers/address'
import { verifyMessage } from 'ethers/hash'
import { invalidAddress, isNobodys } from './wallet.ts'

/**
 * The checksummed form (EIP-55) of an address that can be somebody's wallet. Names, ICAP forms and a wrong checksum
 * are refused; a wrong address would receive works that nobody can ever move again.
 */
export function readWallet(sent: string, denied: string[]): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(sent)) throw invalidAddress()
  let address: string
  try {
    address = getAddress(sent)
  } catch {
    throw invalidAddress()
  }
  const key = address.toLowerCase()
  if (isNobodys(key) || denied.some((own) => own.toLowerCase() === key)) throw invalidAddress()
  return address
}

/** True when the wallet of this address signed exactly this text. */
export function hasSigned(address: string, message: string, signature: string): boolean {
  try {
    return verifyMessage(message, signature) === address
  } catch {
    return false
  }
}
