import { AbiCoder, verifyTypedData } from 'ethers'

/** `deadline` in seconds since 1970; `signature` as the wallet gave it, 0x-prefixed. */
export type SignedPermit = { deadline: number; signature: string }

/** JSON as it goes to a wallet's `eth_signTypedData_v4`; whole numbers are decimal strings. */
export type PermitTypedData = ReturnType<typeof permitTypedData>

/**
 * What an owner signs so that the delivery contract may move one token. It ends at `deadline` (seconds since 1970)
 * and is void as soon as the token moves, because `nonce` is the token's own (`nonces(tokenId)` of the collection).
 */
export function permitTypedData({
  chainId,
  collection,
  delivery,
  tokenId,
  nonce,
  deadline,
}: {
  chainId: number
  collection: string
  delivery: string
  tokenId: bigint
  nonce: bigint
  deadline: number
}) {
  return {
    domain: { name: 'Nifty', version: '1', chainId, verifyingContract: collection },
    // Wallets ask for the domain's type as well; ethers makes its own and refuses it.
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

/**
 * The address whose key signed, checksummed; undefined for anything that is no signature. A contract wallet has no
 * key of its own: ask the chain instead, with a static call of the collection's `permit`.
 */
export function permitSigner({ domain, types, message }: PermitTypedData, signature: string): string | undefined {
  try {
    return verifyTypedData(domain, { Permit: types.Permit }, message, signature)
  } catch {
    return undefined
  }
}

/** The `permit` argument of a delivery out of a wallet. */
export const encodePermit = ({ deadline, signature }: SignedPermit): string =>
  AbiCoder.defaultAbiCoder().encode(['uint256', 'bytes'], [deadline, signature])

/** The `permit` argument of a delivery out of custody: the account that the token is taken from (bytes32). */
export const encodeBeneficiary = (account: string): string => AbiCoder.defaultAbiCoder().encode(['bytes32'], [account])
