import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { announceExport, listSessions } from '@nifty/api/auth/internal'
import { type OperatorRole, operatorRoles, STEP_UP_HEADER } from '@nifty/api/endpoint'
import { perService } from '@nifty/api/services'
import type { App } from '../http/app.ts'
import type { Credential } from '../http/client.ts'
import { type Admitted, createInternalApp } from '../http/internal.ts'
import { operatorCredential } from '../http/operator-token.ts'
import { registerRoute } from '../http/routes.ts'
import { type ServiceKeys, serviceCredential } from '../http/service-keys.ts'
import { createTestKeys } from './auth.ts'
import { testLog } from './log.ts'

const TEST_KEY = 'a-key-that-tests-share'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString()

/** Every service has the test's key. Every name is an operator, with the role of that name or else with all roles. */
export const testAdmitted: Admitted = {
  callers: perService(() => [TEST_KEY]),
  operators: (name) => {
    const role = operatorRoles.find((each) => each === name)
    return { publicKey: publicKeyPem, roles: role ? [role] : operatorRoles }
  },
}
export const testKeys: ServiceKeys = { calls: perService(() => TEST_KEY), callers: testAdmitted.callers }

const credentialOf =
  (name: string): Credential =>
  (request) => ({
    ...serviceCredential(TEST_KEY)(request),
    ...operatorCredential({ name, privateKey: privateKeyPem })(request),
  })

/** Sends the key, and signs as the operator ada. */
export const testCredential = credentialOf('ada')

/** Signs as an operator with this role alone. */
export const testCredentialWith = (role: OperatorRole): Credential => credentialOf(role)

/**
 * One server in place of all services that the tested one calls. It has auth's keys and sessions; `register` adds the
 * endpoints of the test.
 */
export async function startTestPeers(register: (app: App) => void = () => {}) {
  const { signer } = createTestKeys()
  const endedSessions: string[] = []
  const app = createInternalApp({ log: testLog, name: 'auth', admitted: testAdmitted })
  registerRoute(app, listSessions, async () => ({ keys: [signer.key], endedSessions }))
  const exports: string[] = []
  registerRoute(app, announceExport, async ({ params }) => {
    exports.push(params.id)
    return { success: true as const }
  })
  register(app)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    /** Accounts whose exports were announced. */
    exports,
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
