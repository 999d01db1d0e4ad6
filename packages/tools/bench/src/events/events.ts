import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startKafka } from '@nifty/dev-servers/kafka'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { median } from '../results/statistics.ts'
import type { Figure, Target } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import { events as targets } from '../run/targets.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { openBareKafka, openBareNotify } from './bare.ts'
import { measureHop } from './hop.ts'
import { drainBacklog, openOwnHop, type Servers } from './own.ts'

const ROUNDS = { whole: 3, short: 2 }
const SECONDS = { whole: 5, short: 1 }
const BACKLOG = { whole: 20_000, short: 4_000 }

/** Time of an event from the commit that caused it to the commit of its consumer, and how fast a backlog is drained. */
export async function benchEvents({ form, log }: Run): Promise<Figure[]> {
  const { path: folder, remove: removeFolder } = await temporaryFolder()
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), durable: true })
  try {
    await mkdir(join(folder, 'kafka'))
    const kafka = await startKafka({ folder: join(folder, 'kafka') })
    try {
      const { url } = postgres
      const { brokers } = kafka
      log('PostgreSQL')
      const local = await compare(form, {
        target: targets.local,
        backlog: targets.localBacklog,
        name: 'PostgreSQL',
        bare: measureHop((arrived) => openBareNotify(url, arrived)),
        servers: { postgresUrl: url, name: 'local' },
      })
      log('Kafka')
      const overKafka = await compare(form, {
        target: targets.kafka,
        backlog: targets.kafkaBacklog,
        name: 'Kafka',
        bare: measureHop((arrived) => openBareKafka({ url, brokers, topic: 'bare' }, arrived)),
        servers: { postgresUrl: url, brokers, name: 'kafka' },
      })
      return [...local, ...overKafka]
    } finally {
      await kafka.stop()
    }
  } finally {
    await postgres.stop()
    await removeFolder()
  }
}

type Compared = {
  target: Target
  backlog: Target
  name: string
  bare: ReturnType<typeof measureHop>
  servers: Servers
}

async function compare(form: Run['form'], { target, backlog, name, bare, servers }: Compared): Promise<Figure[]> {
  const own = measureHop((arrived) => openOwnHop({ ...servers, name: `${servers.name}-hop` }, arrived))
  const rounds: { own: number; bare: number }[] = []
  try {
    // The first round of each connects and joins the consumer group.
    await bare.round(1)
    await own.round(1)
    for (let round = 0; round < ROUNDS[form]; round++)
      rounds.push({ bare: await bare.round(SECONDS[form]), own: await own.round(SECONDS[form]) })
  } finally {
    await own.stop()
    await bare.stop()
  }
  const { consumed, published } = await drainBacklog({ ...servers, name: `${servers.name}-backlog` }, BACKLOG[form])
  return [
    {
      target,
      figure: median(rounds.map((each) => each.own)),
      baseline: median(rounds.map((each) => each.bare)),
    },
    { target: backlog, figure: consumed },
    { name: `events published by the relay, ${name}`, unit: '/s', figure: published },
  ]
}
