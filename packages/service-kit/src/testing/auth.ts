import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { SessionList } from '@nifty/api/auth/internal'
import { STEP_UP_HEADER } from '@nifty/api/endpoint'
import { watchSessions } from '../http/sessions.ts'
import { createTokenSigner } from '../http/token-signer.ts'
import { testLog } from './log.ts'

/** A signing key of auth's kind, and a signer that uses it. */
export function createTestKeys() {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { privateKey, signer: createTokenSigner({ kid: 'test', privateKey: pem }) }
}

/** Fakes auth for tests of one module: real tokens, and a list of ended sessions that the test changes. */
export async function createTestAuth() {
  const { privateKey, signer } = createTestKeys()
  const list: SessionList = { keys: [signer.key], endedSessions: [] }
  const sessions = await watchSessions({ read: async () => list, log: testLog })
  return {
    sessions,
    privateKey,
    bearer: (userId: string, sessionId: string = randomUUID()) => ({
      authorization: `Bearer ${signer.sign({ userId, sessionId })}`,
    }),
    stepUp: (userId: string, sessionId: string) => ({ [STEP_UP_HEADER]: signer.signStepUp({ userId, sessionId }) }),
    end: async (sessionId: string) => {
      list.endedSessions.push(sessionId)
      await sessions.refresh()
    },
  }
}
