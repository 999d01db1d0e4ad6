import { AbiCoder } from 'ethers'

/** `deadline` in seconds since 1970; `signature` 0x-prefixed. */
export type SignedPermit = { deadline: number; signature: string }

/**
 * The ERC-4494 permit that allows the delivery contract to move one token, as the parameter of `eth_signTypedData_v4`;
 * integers are decimal strings. It expires at `deadline` (seconds since 1970), and a transfer invalidates it: `nonce`
 * is the token's own (`nonces(tokenId)` of the collection), `name` that of the collection.
 */
export function permitTypedData({
  name,
  chainId,
  collection,
  delivery,
  tokenId,
  nonce,
  deadline,
}: {
  name: string
  chainId: number
  collection: string
  delivery: string
  tokenId: bigint
  nonce: bigint
  deadline: number
}) {
  return {
    domain: { name, version: '1', chainId, verifyingContract: collection },
    // Wallets require the type of the domain; ethers derives it and rejects an explicit one.
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Permit: [
        { name: 'spender', type: 'address' },
        { name: 'tokenId', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit' as const,
    message: { spender: delivery, tokenId: String(tokenId), nonce: String(nonce), deadline: String(deadline) },
  }
}

/** The `permit` argument of a delivery out of a wallet. */
export const encodePermit = ({ deadline, signature }: SignedPermit): string =>
  AbiCoder.defaultAbiCoder().encode(['uint256', 'bytes'], [deadline, signature])

/** The `permit` argument of a delivery out of custody: the beneficiary's account (bytes32). */
export const encodeBeneficiary = (account: string): string => AbiCoder.defaultAbiCoder().encode(['bytes32'], [account])
