import { join } from 'node:path'
import { startAnvil } from '@nifty/dev-servers/anvil'
import { mailboxUrls, startMailbox } from '@nifty/dev-servers/mailbox'
import { startPostgres } from '@nifty/dev-servers/postgres'
import type { Dependencies, DependencyMessage, DependencyOptions } from './dependencies.ts'
import { portFor } from './ports.ts'

const stops: (() => Promise<void>)[] = []
const starting: Promise<unknown>[] = []
let stopping = false
/** More than a server has until it is killed. */
const STOP_WITHIN_MS = 12_000

/** Starts all dependencies that the store needs for its own start, at the same time. */
async function startServers(options: DependencyOptions) {
  const { folder, postgres, pooler, chain, processor, kafka, redis, objectStorage } = options
  const started: Dependencies = {}
  if (postgres)
    starting.push(
      startPostgres({ folder: join(folder, 'postgres'), durable: true }).then(
        async ({ url, lost, stop }) => {
          started.postgresUrl = url
          stops.push(stop)
          lost.then(stopAll)
          if (pooler) await startPooler(folder, url, started)
        },
        (error: unknown) => {
          throw explained(error, folder)
        },
      ),
    )
  if (chain)
    starting.push(
      portFor(folder, 'chain')
        .then((port) => startAnvil({ port, blocks: chain.blockMs, statePath: join(folder, 'chain.json') }))
        .then(({ url, pid, exited, stop }) => {
          started.chainRpcUrl = url
          started.chainPid = pid
          stops.push(stop)
          exited.then(stopAll)
        }),
    )
  if (processor)
    starting.push(
      Promise.all([import('@nifty/card-sandbox/server'), portFor(folder, 'processor')])
        .then(([{ startCardSandbox }, port]) =>
          startCardSandbox({
            port,
            dataDir: join(folder, 'processor'),
            secretKey: processor.secretKey,
            webhook: { url: processor.webhookUrl, secret: processor.webhookSecret },
          }),
        )
        .then(({ url, stop }) => {
          started.processorUrl = url
          stops.push(stop)
        }),
    )
  if (kafka)
    starting.push(
      Promise.all([import('@nifty/dev-servers/kafka'), portFor(folder, 'kafka'), portFor(folder, 'kafka-controller')])
        .then(([{ startKafka }, port, controllerPort]) =>
          startKafka({ folder: join(folder, 'kafka'), port, controllerPort }),
        )
        .then(({ brokers, stop }) => {
          started.kafkaBrokers = brokers.join(',')
          stops.push(stop)
        }),
    )
  if (redis)
    starting.push(
      Promise.all([import('@nifty/dev-servers/redis'), portFor(folder, 'redis')])
        .then(([{ startRedis }, port]) => startRedis({ folder: join(folder, 'redis'), port }))
        .then(({ url, stop }) => {
          started.redisUrl = url
          stops.push(stop)
        }),
    )
  if (objectStorage)
    starting.push(
      Promise.all([import('@nifty/dev-servers/object-storage'), portFor(folder, 'object-storage')])
        .then(([{ startObjectStorage }, port]) =>
          startObjectStorage({ folder: join(folder, 'object-storage'), port, server: 'versitygw' }),
        )
        .then(({ url, credentials, stop }) => {
          started.objectStorage = { UPLOADS_URL: url, ...credentials }
          stops.push(stop)
        }),
    )
  await Promise.all(starting)
  return started
}

async function startPooler(folder: string, serverUrl: string, started: Dependencies) {
  const [{ startPgbouncer }, port] = await Promise.all([
    import('@nifty/dev-servers/pgbouncer'),
    portFor(folder, 'pooler'),
  ])
  const { url, stop } = await startPgbouncer({ folder: join(folder, 'pooler'), port, serverUrl })
  started.poolerUrl = url
  stops.push(stop)
}

/** PostgreSQL refuses to run as root, and the user that it runs as instead may lack access to the folder. */
function explained(error: unknown, folder: string) {
  if (!/permission denied/i.test(String(error))) return error
  return new Error(
    `PostgreSQL runs as the user "postgres", who has no access to ${folder}. Set NIFTY_HOME to a folder that all users can traverse.`,
    { cause: error },
  )
}

/**
 * Also called when one server is lost: a store without its chain or database would fail silently. What is still
 * starting is stopped once it has started: a server whose start is broken off would stay, or leave half a folder.
 */
async function stopAll() {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(1), STOP_WITHIN_MS)
  await Promise.allSettled(starting)
  await Promise.allSettled(stops.map((stop) => stop()))
  process.exit(0)
}

const send = (message: DependencyMessage) => process.send?.(message)

async function start(options: DependencyOptions) {
  const { folder, mailbox } = options
  const mail = mailbox ? startMail(folder) : undefined
  if (mail) starting.push(mail)
  const [started, urls] = await Promise.all([startServers(options), mail])
  send({ started: { ...started, ...urls } })
}

async function startMail(folder: string) {
  const ports = { port: await portFor(folder, 'mailbox'), smtpPort: await portFor(folder, 'smtp') }
  stops.push((await startMailbox({ ...ports, folder: join(folder, 'mails') })).stop)
  return mailboxUrls(ports)
}

// The launcher stopped, or was killed.
process.once('disconnect', stopAll)
process.once('message', (options: DependencyOptions) => {
  start(options).catch((error: unknown) => send({ failed: error instanceof Error ? error.message : String(error) }))
})
