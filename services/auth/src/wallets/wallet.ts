import { invalid } from '@nifty/service-kit/base/errors'

export const invalidAddress = () => invalid('invalid_wallet', 'Invalid wallet address')
export const alreadyLinked = () =>
  invalid('wallet_linked_elsewhere', 'MetaMask address is already linked to another account')
export const invalidProof = () =>
  invalid('invalid_signature', 'The signature does not match, please connect your wallet again.')
export const walletNotDeployed = () =>
  invalid(
    'wallet_not_deployed',
    'This smart wallet does not exist on our chain yet. Please use it there once, or keep your works in our custody.',
  )
export const proofRequired = () => invalid('signature_required', 'Please sign the message in your wallet.')

/** Addresses without a private key: zero, burn addresses, precompiled contracts. */
const unusable = [/^0x0{37}[0-9a-f]{3}$/, /^0x0{36}dead$/, /^0xdead0{36}$/, /^0xdead.*beef$/, /^0x(.)\1{39}$/]

export const isUnusable = (key: string) => unusable.some((pattern) => pattern.test(key))

/**
 * True if the address moves from its holder to the caller: only with a signature, and only if the holder linked it
 * without one.
 */
export function mayTake({ holderProven, signed }: { holderProven: boolean; signed: boolean }): boolean {
  return signed && !holderProven
}

/** True if withdrawals wait after this link: not after a first wallet. */
export const startsWaiting = ({ former, address }: { former: string | null; address: string }): boolean =>
  former !== null && former !== address

/** What a signature is for. A text of one purpose is not accepted for the other. */
export type Purpose = 'link' | 'step_up'

/** What EIP-4361 allows in its sentence: a wallet shows any other text without checking the host. */
const STATEMENT = /^[A-Za-z0-9 :/?#[\]@!$&'()*+,;=\-._~]+$/

const statements: Record<Purpose, (account: string) => string> = {
  link: (account) => `Link this wallet to the ${account}. This costs nothing and moves nothing.`,
  step_up: (account) => `Confirm changes to the ${account} for ten minutes. This costs nothing and moves nothing.`,
}

type ChallengeFacts = {
  purpose: Purpose
  publicUrl: string
  storeName: string
  address: string
  username: string
  chainId: number
  nonce: string
  issuedAt: Date
  expiresAt: Date
}

/** With the host in place of a name that has other characters, such as umlauts. */
const accountOf = ({ storeName, username }: ChallengeFacts, host: string) =>
  STATEMENT.test(storeName) ? `${storeName} account ${username}` : `account ${username} at ${host}`

/** The text that a wallet signs (EIP-4361). */
export function challengeText(facts: ChallengeFacts) {
  const { host } = new URL(facts.publicUrl)
  return `${host} wants you to sign in with your Ethereum account:
${facts.address}

${statements[facts.purpose](accountOf(facts, host))}

URI: ${facts.publicUrl}
Version: 1
Chain ID: ${facts.chainId}
Nonce: ${facts.nonce}
Issued At: ${facts.issuedAt.toISOString()}
Expiration Time: ${facts.expiresAt.toISOString()}`
}
