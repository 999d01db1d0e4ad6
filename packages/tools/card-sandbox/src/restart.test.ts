import { fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import {
  clientOf,
  control,
  eventTypes,
  givenHold,
  givenReceiver,
  givenSession,
  newDataDir,
  purchase,
  secretKey,
  startTestSandbox,
  webhookSecret,
} from './testing/sandbox.ts'

// Processes are started here, some of them twice.
vi.setConfig({ testTimeout: 60_000 })

/** Starts the sandbox in a process of its own. */
async function spawnSandbox(dataDir: string, webhookUrl?: string) {
  const child = fork(join(import.meta.dirname, 'main.ts'), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    env: {
      ...process.env,
      PORT: '0',
      HOME_DIR: dataDir,
      SECRET_KEY: secretKey,
      WEBHOOK_SECRET: webhookSecret,
      ...(webhookUrl ? { WEBHOOK_URL: webhookUrl } : {}),
    },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  return { child, url, stripe: clientOf(url) }
}

test('after SIGKILL the state of every sent response is restored, and replayed under its idempotency key', async () => {
  const dataDir = await newDataDir()
  const first = await spawnSandbox(dataDir)
  const options = { idempotencyKey: 'cs:order-1' }
  const { id } = await first.stripe.checkout.sessions.create(purchase(), options)
  await control(first.url, `/sandbox/sessions/${id}/pay`, { card: '4242424242424242' })
  await control(first.url, '/sandbox/clock', { advanceMs: 3600_000 })
  const before = await control(first.url, '/sandbox/ledger')

  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const second = await spawnSandbox(dataDir)

  const after = await control(second.url, '/sandbox/ledger')
  expect(after.entries).toEqual(before.entries)
  expect(after.now).toBeGreaterThanOrEqual(before.now)
  expect((await second.stripe.checkout.sessions.create(purchase(), options)).id).toBe(id)
  const session = await second.stripe.checkout.sessions.retrieve(id)
  await second.stripe.paymentIntents.capture(session.payment_intent as string)
  expect((await control(second.url, '/sandbox/ledger')).totals).toMatchObject({ captured: 12_000, inFlight: 0 })
})

test('events that were not accepted before a SIGKILL are delivered after the restart', async () => {
  const dataDir = await newDataDir()
  const first = await spawnSandbox(dataDir, 'http://127.0.0.1:9/webhook')
  const { id } = await first.stripe.checkout.sessions.create(purchase())
  await control(first.url, `/sandbox/sessions/${id}/pay`, { card: '4242424242424242' })
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')

  const { url, received, until } = await givenReceiver()
  await spawnSandbox(dataDir, url)

  await until(() => received.length === 4)
  expect(received.map(({ event }) => event.type)).toContain('checkout.session.completed')
})

test('SIGTERM stops the process with exit code 0', async () => {
  const { child } = await spawnSandbox(await newDataDir())

  child.kill('SIGTERM')

  expect((await once(child, 'exit'))[0]).toBe(0)
})

test('an incomplete last line of the ledger is discarded', async () => {
  const dataDir = await newDataDir()
  const first = await startTestSandbox({ dataDir })
  await givenSession(first)
  await first.stop()
  const file = join(dataDir, 'ledger.jsonl')
  await appendFile(file, '{"seq":2,"at":"2026-01-01T00:00:00.000Z","fac')

  const second = await startTestSandbox({ dataDir })

  expect((await second.control('/sandbox/ledger')).entries).toHaveLength(1)
  await givenHold(second)
  expect(
    (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).seq),
  ).toEqual([1, 2, 3])
})

test('a ledger with a missing line is refused', async () => {
  const dataDir = await newDataDir()
  const first = await startTestSandbox({ dataDir })
  await givenHold(first)
  await first.stop()
  const file = join(dataDir, 'ledger.jsonl')
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n')
  await writeFile(file, rest.join('\n'))

  await expect(startTestSandbox({ dataDir })).rejects.toThrow('ledger')
})

test('of paying and expiring at the same time exactly one succeeds', async () => {
  const sandbox = await startTestSandbox()
  for (let round = 0; round < 20; round += 1) {
    const { id } = await givenSession(sandbox)
    const [paid, expired] = await Promise.allSettled([sandbox.pay(id), sandbox.stripe.checkout.sessions.expire(id)])
    expect([paid.status, expired.status].sort()).toEqual(['fulfilled', 'rejected'])
  }
  const types = await eventTypes(sandbox)
  expect(types.filter((type) => /^checkout.session.(completed|expired)$/.test(type))).toHaveLength(20)
})
