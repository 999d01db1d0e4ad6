import { createPublicKey } from 'node:crypto'
import { createSigner } from 'fast-jwt'
import { AUDIENCE, ISSUER, TOKEN_LIFE_S } from './authentication.ts'

/** Signs tokens with an Ed25519 key (PKCS#8 PEM). Used by auth, and by tests that fake it. */
export function createTokenSigner({ kid, privateKey }: { kid: string; privateKey: string }) {
  const sign = createSigner({
    algorithm: 'EdDSA',
    key: privateKey,
    kid,
    iss: ISSUER,
    aud: AUDIENCE,
    expiresIn: TOKEN_LIFE_S * 1000,
  })
  return {
    key: { kid, publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString() },
    sign: ({ userId, sessionId }: { userId: string; sessionId: string }): string =>
      sign({ sub: userId, sid: sessionId }),
  }
}
