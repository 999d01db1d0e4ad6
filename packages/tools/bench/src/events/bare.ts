import { Kafka, logLevel, Partitioners } from 'kafkajs'
import pg from 'pg'
import type { Arrived, Hop } from './hop.ts'

const TABLES = `create table if not exists bare_sent (number integer primary key);
  create table if not exists bare_received (number integer primary key)`

async function connect(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

const receiveAndCommit = async (client: pg.Client, number: number) => {
  await client.query('begin')
  await client.query('insert into bare_received values ($1)', [number])
  await client.query('commit')
}

/** Statements of one transaction after another: the client is used by one transaction at a time. */
function oneAtATime() {
  let last: Promise<unknown> = Promise.resolve()
  return (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}

/** The baseline of events through PostgreSQL: commit, NOTIFY, commit. */
export async function openBareNotify(url: string, arrived: Arrived): Promise<Hop> {
  const [sender, receiver] = [await connect(url), await connect(url)]
  await sender.query(`${TABLES}; truncate bare_sent, bare_received`)
  const [sending, receiving] = [oneAtATime(), oneAtATime()]
  receiver.on('notification', ({ payload }) => {
    const number = Number(payload)
    receiving(async () => {
      await receiver.query('select number from bare_sent where number = $1', [number])
      await receiveAndCommit(receiver, number)
      arrived(number)
    }).catch((error) => process.emitWarning(error))
  })
  await receiver.query('listen bare')
  return {
    send: (number) =>
      sending(async () => {
        await sender.query('begin')
        await sender.query('insert into bare_sent values ($1)', [number])
        await sender.query(`select pg_notify('bare', $1)`, [String(number)])
        await sender.query('commit')
      }),
    stop: async () => {
      await sender.end()
      await receiver.end()
    },
  }
}

/** The baseline of events through Kafka: commit, send, receive, commit. */
export async function openBareKafka(
  { url, brokers, topic }: { url: string; brokers: string[]; topic: string },
  arrived: Arrived,
): Promise<Hop> {
  const [sender, receiver] = [await connect(url), await connect(url)]
  await sender.query(`${TABLES}; truncate bare_sent, bare_received`)
  const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }] })
  await admin.disconnect()
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner })
  await producer.connect()
  const consumer = kafka.consumer({ groupId: topic })
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  const joined = new Promise<void>((resolve) => consumer.on(consumer.events.GROUP_JOIN, () => resolve()))
  await consumer.run({
    eachMessage: async ({ message }) => {
      const number = Number(message.value)
      await receiveAndCommit(receiver, number)
      arrived(number)
    },
  })
  await joined
  const sending = oneAtATime()
  const sends: Promise<unknown>[] = []
  return {
    send: async (number) => {
      await sending(async () => {
        await sender.query('begin')
        await sender.query('insert into bare_sent values ($1)', [number])
        await sender.query('commit')
      })
      // As in the services, the time begins at the commit: the message is on its way afterwards.
      const sent = producer.send({ topic, acks: -1, messages: [{ value: String(number) }] })
      // A failure is reported by `stop`.
      sent.catch(() => {})
      sends.push(sent)
    },
    stop: async () => {
      await Promise.all(sends)
      await consumer.disconnect()
      await producer.disconnect()
      await sender.end()
      await receiver.end()
    },
  }
}
