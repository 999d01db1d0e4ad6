import { setTimeout as sleep } from 'node:timers/promises'
import { getWithdrawer, type Withdrawer } from '@nifty/api/auth/internal'
import { type CleanUp, startTestChain } from '@nifty/contracts/testing/test-chain'
import { atEnd } from '@nifty/dev-servers/at-end'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import type { EventContract } from '@nifty/events/define-event'
import { notFound } from '@nifty/service-kit/base/errors'
import { randomToken } from '@nifty/service-kit/base/secrets'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { ObjectSettings } from '@nifty/service-kit/objects/object-settings'
import { messageOf } from '@nifty/service-kit/testing/events'
import { startTestPeers, testCredential } from '@nifty/service-kit/testing/peers'
import { startTestService } from '@nifty/service-kit/testing/service'
import type { Static, TObject } from 'typebox'
import { findAccount } from '../accounts/account.store.ts'
import { type Config, readConfig } from '../config.ts'
import type { Database } from '../db.ts'
import { minting } from '../service.ts'

const mailTokenKeys = [randomToken()] as const

export type TestMinting = Awaited<ReturnType<typeof startTestMinting>>

/** The service on a real database and a real chain; both survive `stop` and `start`. */
export async function startTestMinting({
  transactions = {},
  patience = {},
  finalityDepth = 2,
  nodes = 1,
  cleanUp = atEnd,
  ...changes
}: {
  transactions?: Partial<Config['transactions']>
  patience?: Partial<Config['chain']['patience']>
  finalityDepth?: number
  nodes?: 1 | 2
  cleanUp?: CleanUp
  mintsPerHour?: number
  custodyHoldHours?: number
  uploads?: ObjectSettings
} = {}) {
  const chain = await startTestChain(cleanUp)
  const uploadsDir = await temporaryFolder('uploads')
  /** What auth returns for an account that withdraws; the wallet is the one that minting has stored. */
  const withdrawer: Omit<Withdrawer, 'wallet'> = { emailConfirmed: true, suspended: false, waitsUntil: null }
  const peers = await startTestPeers((app) =>
    registerRoute(app, getWithdrawer, async ({ params: { id } }) => {
      const account = await findAccount(service.db, id)
      if (!account) throw notFound('user_not_found', 'User not Found')
      return { ...withdrawer, wallet: account.wallet }
    }),
  )
  const config: Config = {
    ...readConfig({
      CHAIN_RPC_URL: chain.proxy.url,
      CHAIN_RPC_URL_2: nodes === 2 ? chain.secondProxy.url : undefined,
      CHAIN_SIGNER_KEY: chain.signer.privateKey,
      CHAIN_COLLECTION: chain.collection,
      CHAIN_DELIVERY: chain.delivery,
      CHAIN_FINALITY_DEPTH: String(finalityDepth),
      MAIL_TOKEN_KEY: mailTokenKeys[0],
      UPLOADS_DIR: uploadsDir,
      PUBLIC_URL: 'http://nifty.test',
    }),
    ...changes,
  }
  config.chain.patience = { ...config.chain.patience, ...patience }
  Object.assign(config.transactions, { pollMs: 25, bumpAfterMs: 60_000, rebroadcastMs: 100, ...transactions })

  const service = await startTestService<Config, Database>(minting, { config, peerUrls: peers.peerUrls })
  const { db, transport } = service
  let isRunning = true
  const stop = async () => {
    if (isRunning) await service.stopService()
    isRunning = false
  }
  const start = async () => {
    await service.startService()
    isRunning = true
  }
  cleanUp(async () => {
    await stop()
    await peers.stop()
    await db.destroy()
  })

  const published = <Data extends TObject>(event: EventContract<Data>) =>
    service.published.filter(({ name }) => name === event.name).map(({ data }) => data as Static<Data>)

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
    chain,
    db,
    transport,
    uploadsDir,
    mailTokenKeys,
    start,
    stop,
    published,
    until,
    untilPolled,
    withdrawer,
    bearer: peers.bearer,
    steppedUp: peers.steppedUp,
    exports: peers.exports,
    /** Read at each start. */
    config,
    /** All published messages, oldest first. */
    messages: service.published,
    get app() {
      return service.app
    },
    get internalUrl() {
      return service.internalUrl
    },
    /** Delivers an event to the service; a repeated `id` is a redelivery. */
    consume: <Data extends TObject>(event: EventContract<Data>, data: Static<Data>, id?: string) =>
      service.consume(messageOf(event, data, id)),
    /** Calls an internal route as another service does. */
    callInternal: async (path: string, body?: unknown) => {
      const method = body === undefined ? 'GET' : 'POST'
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = testCredential({ service: 'minting', method, url: path, body: text })
      const response = await fetch(`${service.internalUrl}${path}`, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: text,
      })
      return { status: response.status, body: (await response.json()) as any }
    },
  }
}
