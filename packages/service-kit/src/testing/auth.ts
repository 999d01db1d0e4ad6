import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { SessionList } from '@nifty/api/auth/internal'
import { watchSessions } from '../http/sessions.ts'
import { createTokenSigner } from '../http/token-signer.ts'
import { testLog } from './log.ts'

/** Plays auth for another service's tests: real tokens, and a list of ended sessions that the test writes. */
export async function createTestAuth() {
  const { privateKey } = generateKeyPairSync('ed25519')
  const signer = createTokenSigner({
    kid: 'test',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  })
  const list: SessionList = { keys: [signer.key], endedSessions: [] }
  const sessions = await watchSessions({ read: async () => list, log: testLog })
  return {
    sessions,
    privateKey,
    bearer: (userId: string, sessionId: string = randomUUID()) => ({
      authorization: `Bearer ${signer.sign({ userId, sessionId })}`,
    }),
    end: async (sessionId: string) => {
      list.endedSessions.push(sessionId)
      await sessions.refresh()
    },
  }
}
