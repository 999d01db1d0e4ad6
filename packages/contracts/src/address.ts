import { getAddress, isAddress } from 'ethers'

/** The checksummed address; undefined for an invalid one, or a wrong checksum. */
export const checkedAddress = (text: string): string | undefined => (isAddress(text) ? getAddress(text) : undefined)
