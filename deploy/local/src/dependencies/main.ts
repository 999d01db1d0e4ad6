import { join } from 'node:path'
import { startAnvil } from '@nifty/dev-servers/anvil'
import { mailboxUrls, startMailbox } from '@nifty/dev-servers/mailbox'
import { startPostgres } from '@nifty/dev-servers/postgres'
import type { Outside, OutsideMessage, OutsideOptions } from './dependencies.ts'
import { portFor } from './ports.ts'

const stops: (() => Promise<void>)[] = []
let ending = false

/** Everything that the store needs to begin. */
async function startParts({ folder, postgres, chain, processor, kafka, redis }: OutsideOptions): Promise<Outside> {
  const parts: Outside = {}
  const starting: Promise<void>[] = []
  if (postgres)
    starting.push(
      startPostgres({ folder: join(folder, 'postgres'), durable: true }).then(
        ({ url, lost, stop }) => {
          parts.postgresUrl = url
          stops.push(stop)
          lost.then(end)
        },
        (error: unknown) => {
          throw explained(error, folder)
        },
      ),
    )
  if (chain)
    starting.push(
      portFor(folder, 'chain')
        .then((port) => startAnvil({ port, statePath: join(folder, 'chain.json') }))
        .then(({ url, pid, exited, stop }) => {
          parts.chainRpcUrl = url
          parts.chainPid = pid
          stops.push(stop)
          exited.then(end)
        }),
    )
  if (processor)
    starting.push(
      Promise.all([import('@nifty/card-sandbox/server'), portFor(folder, 'processor')])
        .then(([{ startProcessor }, port]) =>
          startProcessor({
            port,
            home: join(folder, 'processor'),
            secretKey: processor.secretKey,
            webhook: { url: processor.webhookUrl, secret: processor.webhookSecret },
          }),
        )
        .then(({ url, stop }) => {
          parts.processorUrl = url
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
          parts.kafkaBrokers = brokers.join(',')
          stops.push(stop)
        }),
    )
  if (redis)
    starting.push(
      Promise.all([import('@nifty/dev-servers/redis'), portFor(folder, 'redis')])
        .then(([{ startRedis }, port]) => startRedis({ folder: join(folder, 'redis'), port }))
        .then(({ url, stop }) => {
          parts.redisUrl = url
          stops.push(stop)
        }),
    )
  await Promise.all(starting)
  return parts
}

/** PostgreSQL refuses to run as root, and the user that it runs as then may not be let into the folder. */
function explained(error: unknown, folder: string) {
  if (!/permission denied/i.test(String(error))) return error
  return new Error(
    `PostgreSQL runs as the user "postgres", who is not let into ${folder}. Set NIFTY_HOME to a folder that everybody may pass through.`,
    { cause: error },
  )
}

/** Ends all parts in order. A store without its chain would sell nothing and say so to nobody. */
function end() {
  if (ending) return
  ending = true
  Promise.allSettled(stops.map((stop) => stop())).then(() => process.exit(0))
}

const say = (message: OutsideMessage) => process.send?.(message)

/** The mailbox comes last: no mail goes before the store runs, which meanwhile starts. */
async function start(options: OutsideOptions) {
  const { folder, mailbox } = options
  const ports = mailbox && { port: await portFor(folder, 'mailbox'), smtpPort: await portFor(folder, 'smtp') }
  const parts = await startParts(options)
  say({ parts: { ...parts, ...(ports && mailboxUrls(ports)) } })
  if (ports) stops.push((await startMailbox({ ...ports, folder: join(folder, 'mails') })).stop)
  say({ complete: true })
}

/** The launcher is gone, whether it stopped or was killed. */
process.once('disconnect', end)
process.once('message', (options: OutsideOptions) => {
  start(options).catch((error: unknown) => say({ failed: error instanceof Error ? error.message : String(error) }))
})
