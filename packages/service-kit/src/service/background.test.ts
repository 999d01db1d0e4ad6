import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApp } from '../http/app.ts'
import { createInternalApp } from '../http/internal.ts'
import { createLocalTransport } from '../messaging/local-transport.ts'
import { createTestDatabase, testDatabaseUrl } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { testAdmitted, testKeys } from '../testing/peers.ts'
import { prepareDatabase, runService } from './service.ts'

const noMigrations = join(import.meta.dirname, '../../test-migrations')

/** A service with one worker, whose background starts after `after`. */
async function startAfter(after: Promise<void>) {
  const { url } = await createTestDatabase(noMigrations)
  const carrier = testDatabaseUrl(`transport_${randomUUID().replaceAll('-', '')}`)
  const transport = await createLocalTransport({ url: carrier, storeId: 'test', log: testLog })
  onTestFinished(() => transport.stop())
  const context = {
    databaseUrl: url,
    storeId: 'test',
    transport,
    log: testLog,
    keys: testKeys,
    peerUrls: {},
    operators: testAdmitted.operators,
    internalListen: { host: '127.0.0.1', port: 0 },
    background: { after, onFailed: vi.fn() },
  }
  const work = vi.fn(async () => {})
  const service = await runService(context, {
    name: 'kit',
    db: await prepareDatabase(context, noMigrations),
    app: createApp({ log: testLog, name: 'kit' }),
    internal: createInternalApp({ log: testLog, name: 'kit', admitted: testAdmitted }),
    workers: [{ name: 'work', everyMs: 10, run: work }],
  })
  return { service, work }
}

test('a service serves requests before its workers start, and they start at the signal of the launcher', async () => {
  const started = Promise.withResolvers<void>()
  const { service, work } = await startAfter(started.promise)
  onTestFinished(service.stop)

  expect((await service.app.inject('/readyz')).statusCode).toBe(200)
  expect(work).not.toHaveBeenCalled()

  started.resolve()
  await vi.waitFor(() => expect(work).toHaveBeenCalled(), { timeout: 30_000 })
})

test('a service that is stopped before its workers started starts none', async () => {
  const started = Promise.withResolvers<void>()
  const { service, work } = await startAfter(started.promise)

  await service.stop()
  started.resolve()
  await started.promise

  expect(work).not.toHaveBeenCalled()
})
