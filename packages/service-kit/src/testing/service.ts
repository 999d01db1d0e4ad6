import type { OperatorRole } from '@nifty/api/endpoint'
import type { ServiceName } from '@nifty/api/services'
import type { Kysely } from 'kysely'
import { openDatabase } from '../database/database.ts'
import { createServiceClient } from '../http/client.ts'
import type { Transport } from '../messaging/transport.ts'
import type { Service } from '../service/define-service.ts'
import type { RunningService } from '../service/service.ts'
import { createTestDatabase } from './database.ts'
import { testLog } from './log.ts'
import { testAdmitted, testCredential, testCredentialWith, testKeys } from './peers.ts'
import { createTestTransport } from './transport.ts'

/**
 * Starts the real service on a database of its own, with the rights that it has in production, and a test transport.
 * `restart` stops it and starts it again on the same database; `startReplica` starts another process state beside it.
 * `stop` stops the service and closes `db`.
 */
export async function startTestService<Config, Tables>(
  service: Service<Config>,
  { config, peerUrls = {} }: { config: Config; peerUrls?: Partial<Record<ServiceName, string>> },
) {
  const { url: databaseUrl, serviceUrl } = await createTestDatabase(service.migrations)
  const db: Kysely<Tables> = openDatabase<Tables>({ url: databaseUrl, log: testLog })
  const { transport, published, consume } = createTestTransport()
  const start = (startConfig: Config, startTransport: Transport = transport): Promise<RunningService> =>
    service.start(
      {
        databaseUrl: serviceUrl,
        storeId: 'test',
        peerUrls,
        transport: startTransport,
        log: testLog,
        keys: testKeys,
        operators: testAdmitted.operators,
        rateLimitFactor: 1_000,
        internalListen: { host: '127.0.0.1', port: 0 },
      },
      startConfig,
    )
  let running = await start(config)

  return {
    db,
    databaseUrl,
    config,
    transport,
    published,
    consume,
    get app() {
      return running.app
    },
    get internalUrl() {
      return running.internalUrl
    },
    /** A client of its internal endpoints. */
    get internal() {
      return createServiceClient({ url: running.internalUrl, credential: testCredential, name: service.name })
    },
    /** The same of an operator with this role alone. */
    internalWith: (role: OperatorRole) =>
      createServiceClient({ url: running.internalUrl, credential: testCredentialWith(role), name: service.name }),
    stopService: () => running.stop(),
    startService: async () => {
      running = await start(config)
    },
    restart: async () => {
      await running.stop()
      running = await start(config)
    },
    /** By default it consumes no events and shares only the database. */
    startReplica: (changes: Partial<Config> = {}, replicaTransport: Transport = createTestTransport().transport) =>
      start({ ...config, ...changes }, replicaTransport),
    stop: async () => {
      await running.stop()
      await db.destroy()
    },
  }
}
