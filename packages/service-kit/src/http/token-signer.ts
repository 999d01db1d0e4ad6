import { createPublicKey } from 'node:crypto'
import { createSigner } from 'fast-jwt'
import { AUDIENCE, ISSUER, STEP_UP_AUDIENCE, STEP_UP_LIFE_S, TOKEN_LIFE_S } from './token.ts'

/** The account and the session that a token is for. */
type Subject = { userId: string; sessionId: string }

/** Signs tokens with an Ed25519 key (PKCS#8 PEM). Used by auth, and by tests that fake it. */
export function createTokenSigner({ kid, privateKey }: { kid: string; privateKey: string }) {
  const shared = { algorithm: 'EdDSA', key: privateKey, kid, iss: ISSUER } as const
  const sign = createSigner({ ...shared, aud: AUDIENCE, expiresIn: TOKEN_LIFE_S * 1000 })
  const signStepUp = createSigner({ ...shared, aud: STEP_UP_AUDIENCE, expiresIn: STEP_UP_LIFE_S * 1000 })
  return {
    key: { kid, publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString() },
    sign: ({ userId, sessionId }: Subject): string => sign({ sub: userId, sid: sessionId }),
    signStepUp: ({ userId, sessionId }: Subject): string => signStepUp({ sub: userId, sid: sessionId }),
  }
}
