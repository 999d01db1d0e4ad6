import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { createTokenSigner } from '@nifty/service-kit/http/token-signer'
import type { Config } from '../config.ts'

export type SigningKeys = ReturnType<typeof createSigningKeys>

/**
 * The signing key, and all keys whose tokens are accepted. To rotate: accept the next key in every replica, then sign
 * with it and accept the previous key until its last token has expired.
 */
export function createSigningKeys({ signingKey, acceptedKey }: Pick<Config, 'signingKey' | 'acceptedKey'>) {
  const signer = createTokenSigner({ kid: keyId(readKey(signingKey)), privateKey: signingKey })
  const accepted = acceptedKey ? [readKey(acceptedKey)] : []
  const others = accepted
    .map((key) => ({ kid: keyId(key), publicKey: key.export({ type: 'spki', format: 'pem' }).toString() }))
    .filter(({ kid }) => kid !== signer.key.kid)
  return { sign: signer.sign, signStepUp: signer.signStepUp, keys: [signer.key, ...others] }
}

function readKey(pem: string): KeyObject {
  const key = createPublicKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('Keys that sign tokens must be Ed25519')
  return key
}

/** `kid` derived from the key itself, so that it is unique. */
const keyId = (key: KeyObject) =>
  createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16)
