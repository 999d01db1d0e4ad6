import { randomUUID } from 'node:crypto'
import { listSessions } from '@nifty/api/auth/internal'
import { STEP_UP_HEADER } from '@nifty/api/endpoint'
import { perService } from '@nifty/api/services'
import type { App } from '../http/app.ts'
import { createInternalApp } from '../http/internal.ts'
import { registerRoute } from '../http/routes.ts'
import { createTestKeys } from './auth.ts'
import { testLog } from './log.ts'

export const TEST_SECRET = 'a-secret-that-tests-share'

/**
 * One server in place of all services that the tested one calls. It has auth's keys and sessions; `register` adds the
 * endpoints of the test.
 */
export async function startTestPeers(register: (app: App) => void = () => {}) {
  const { signer } = createTestKeys()
  const endedSessions: string[] = []
  const app = createInternalApp({ log: testLog, name: 'peers', secret: TEST_SECRET })
  registerRoute(app, listSessions, async () => ({ keys: [signer.key], endedSessions }))
  register(app)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    peerUrls: perService(() => url),
    bearer: (userId: string, sessionId: string = randomUUID()) => ({
      authorization: `Bearer ${signer.sign({ userId, sessionId })}`,
    }),
    /** A bearer token and a step-up token of one session. */
    steppedUp: (userId: string, sessionId: string = randomUUID()) => ({
      authorization: `Bearer ${signer.sign({ userId, sessionId })}`,
      [STEP_UP_HEADER]: signer.signStepUp({ userId, sessionId }),
    }),
    stop: () => app.close(),
  }
}
