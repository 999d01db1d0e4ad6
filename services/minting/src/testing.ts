import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventContract } from '@nifty/events/define-event'
import { openDatabase } from '@nifty/service-kit/database'
import type { RunningService } from '@nifty/service-kit/service'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { messageOf } from '@nifty/service-kit/testing/events'
import { testLog } from '@nifty/service-kit/testing/log'
import { startTestPeers, TEST_SECRET } from '@nifty/service-kit/testing/peers'
import { createTestTransport } from '@nifty/service-kit/testing/transport'
import type { Static, TObject } from 'typebox'
import { afterAll } from 'vitest'
import { type Config, readConfig } from './config.ts'
import type { Database } from './db.ts'
import { minting } from './service.ts'
import { type CleanUp, startTestChain } from './testing/test-chain.ts'

export type TestMinting = Awaited<ReturnType<typeof startTestMinting>>

/** The service on a real database and a real chain; both survive `stop` and `start`. */
export async function startTestMinting({
  transactions = {},
  finalityDepth = 2,
  cleanUp = afterAll,
  ...changes
}: {
  transactions?: Partial<Config['transactions']>
  finalityDepth?: number
  cleanUp?: CleanUp
  mintsPerHour?: number
  uploadWithinMs?: number
} = {}) {
  const chain = await startTestChain(cleanUp)
  const { url } = await createTestDatabase(minting.migrations)
  const uploadsDir = await mkdtemp(join(tmpdir(), 'nifty-uploads-'))
  const db = openDatabase<Database>({ url, log: testLog })
  const peers = await startTestPeers()
  const bus = createTestTransport()
  const config: Config = {
    ...readConfig({
      CHAIN_RPC_URL: chain.proxy.url,
      CHAIN_SIGNER_KEY: chain.signer.privateKey,
      CHAIN_COLLECTION: chain.collection,
      CHAIN_DELIVERY: chain.delivery,
      CHAIN_FINALITY_DEPTH: String(finalityDepth),
      UPLOADS_DIR: uploadsDir,
      PUBLIC_URL: 'http://nifty.test',
    }),
    ...changes,
  }
  Object.assign(config.transactions, { pollMs: 25, bumpAfterMs: 60_000, rebroadcastMs: 100, ...transactions })

  const context = { databaseUrl: url, peerUrls: peers.peerUrls, transport: bus.transport, log: testLog }
  let running: RunningService | undefined
  const start = async () => {
    running = await minting.start(
      { ...context, internalSecret: TEST_SECRET, internalListen: { host: '127.0.0.1', port: 0 } },
      config,
    )
  }
  const stop = async () => {
    await running?.stop()
    running = undefined
  }
  await start()
  cleanUp(async () => {
    await stop()
    await peers.stop()
    await db.destroy()
    await rm(uploadsDir, { recursive: true, force: true })
  })

  const published = <Data extends TObject>(event: EventContract<Data>) =>
    bus.published.filter(({ name }) => name === event.name).map(({ data }) => data as Static<Data>)

  /** Polls until the result is truthy, for at most a minute; with `mining` each poll mines a block. */
  async function until<Result>(
    poll: () => Promise<Result> | Result,
    { mining = true } = {},
  ): Promise<NonNullable<Result>> {
    const deadline = performance.now() + 60_000
    for (;;) {
      const result = await poll()
      if (result) return result
      if (performance.now() > deadline) throw new Error(`Timed out: ${poll}`)
      if (mining) await chain.mine()
      await sleep(30)
    }
  }

  /** Waits until the service has sent this many more requests to the node. */
  const untilPolled = async (requests: number, options = {}) => {
    const before = chain.proxy.methods.length
    await until(() => chain.proxy.methods.length > before + requests, options)
  }

  return {
    ...{ chain, db, bus, auth: peers, config, uploadsDir, start, stop, published, until, untilPolled },
    get app() {
      return running!.app
    },
    get internalUrl() {
      return running!.internalUrl
    },
    /** Delivers an event to the service; a repeated `id` is a redelivery. */
    consume: <Data extends TObject>(event: EventContract<Data>, data: Static<Data>, id?: string) =>
      bus.consume(messageOf(event, data, id)),
    /** Calls an internal route as another service does. */
    callInternal: async (path: string, body?: unknown) => {
      const response = await fetch(`${running!.internalUrl}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'x-internal-secret': TEST_SECRET, 'content-type': 'application/json' },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      return { status: response.status, body: (await response.json()) as any }
    },
  }
}
