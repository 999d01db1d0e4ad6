import type { NewPasskeyResponse, PasskeyResponse } from '@nifty/api/auth/passkeys'
import type { Kysely } from 'kysely'
import type { ExistingAccount } from '../accounts/account.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import type { Passkey } from './passkey.store.ts'
import { invalidPasskey } from './passkey.ts'
import {
  CHALLENGE_LIFETIME_S,
  type ChallengeUse,
  consumePasskeyChallenge,
  savePasskeyChallenge,
} from './passkey-challenge.store.ts'

export type CeremonyDeps = { db: Kysely<Database>; config: Pick<Config, 'publicUrl' | 'storeName'> }

/** Loaded when it is first used: its 234 modules are a fifteenth of those of a whole store. */
const webAuthn = () => import('@simplewebauthn/server')

/** COSE: ES256, EdDSA, RS256. */
const ALGORITHMS = [-7, -8, -257]
const timeout = CHALLENGE_LIFETIME_S * 1000

/** Passkeys belong to the store's host name, and signatures name its origin. */
const partyOf = ({ publicUrl }: Pick<Config, 'publicUrl'>) => {
  const { origin, hostname } = new URL(publicUrl)
  return { origin, hostname }
}

const descriptorsOf = (passkeys: Passkey[]) => passkeys.map(({ credentialId }) => ({ id: credentialId }))

/** Options for a new passkey; `passkeys` are those that the account has. */
export async function optionsToRegister(
  { db, config }: CeremonyDeps,
  { id, username }: ExistingAccount,
  passkeys: Passkey[],
) {
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: config.storeName,
    rpID: partyOf(config).hostname,
    userID: Buffer.from(id),
    userName: username,
    timeout,
    attestationType: 'none',
    excludeCredentials: descriptorsOf(passkeys),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  await savePasskeyChallenge(db, options.challenge, { purpose: 'register', accountId: id })
  return { options: { ...options } }
}

/** Options for a signature; of any passkey of this store where `passkeys` is empty. */
export async function optionsToSign({ db, config }: CeremonyDeps, use: ChallengeUse, passkeys: Passkey[]) {
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: partyOf(config).hostname,
    timeout,
    allowCredentials: descriptorsOf(passkeys),
    userVerification: 'required',
  })
  await savePasskeyChallenge(db, options.challenge, use)
  return { options: { ...options } }
}

/**
 * The challenge that a response names, if it was issued for this use and not used yet. Throws 400 `invalid_passkey`.
 */
export async function consumeChallengeOf(
  { db }: CeremonyDeps,
  { response: { clientDataJSON } }: NewPasskeyResponse | PasskeyResponse,
  use: ChallengeUse,
): Promise<string> {
  const challenge = challengeOf(clientDataJSON)
  if (challenge === undefined || !(await consumePasskeyChallenge(db, challenge, use))) throw invalidPasskey()
  return challenge
}

function challengeOf(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString())
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/**
 * Verifies a new passkey: origin, host name, and that the authenticator verified its user. Throws 400
 * `invalid_passkey`.
 */
export async function verifyNewPasskey(
  { config }: CeremonyDeps,
  response: NewPasskeyResponse,
  challenge: string,
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter'>> {
  const { origin, hostname } = partyOf(config)
  const { verifyRegistrationResponse } = await webAuthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: hostname,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(refuse)
  if (!registrationInfo) throw invalidPasskey()
  const { id, publicKey, counter } = registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter }
}

/**
 * Verifies a signature: key, origin, host name, that the authenticator verified its user, and that its counter grew.
 * Returns the new counter. Throws 400 `invalid_passkey`.
 */
export async function verifySignature(
  { config }: Pick<CeremonyDeps, 'config'>,
  { accountId, credentialId, publicKey, counter }: Passkey,
  { response, challenge }: { response: PasskeyResponse; challenge: string },
): Promise<number> {
  const { userHandle, ...rest } = response.response
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== accountId) throw invalidPasskey()
  const { origin, hostname } = partyOf(config)
  const { verifyAuthenticationResponse } = await webAuthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, response: rest },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: hostname,
    credential: { id: credentialId, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')), counter },
    requireUserVerification: true,
  }).catch(refuse)
  if (!verified) throw invalidPasskey()
  return authenticationInfo.newCounter
}

/** The library throws for everything that a client can send wrong. */
const refuse = () => {
  throw invalidPasskey()
}
