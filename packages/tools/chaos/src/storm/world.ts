import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { perService, type ServiceName, serviceNames } from '@nifty/api/services'
import { type Ledger, ledgerOf } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'
import pg from 'pg'
import { nameInStore, withDatabase } from '../campaign/databases.ts'
import type { Answer } from './cast/client.ts'
import { type ChainRecord, readChain } from './chain.ts'
import type { History } from './history.ts'
import { type MailRecord, readMailRecord } from './mail/record.ts'
import { type ProcessorRecord, readProcessor } from './processor.ts'
import type { Servers } from './servers.ts'
import { readLag, readTopics, type TopicRecord } from './topics.ts'
import type { TransactionSample } from './transactions.ts'

export type Row = Record<string, any>

/** A mail in the mailbox. */
export type Mail = { to: { address: string }[]; subject: string; headers: Record<string, string> }

/** Everything that the questions examine, read from every side. */
export type World = {
  histories: History[]
  answers: Answer[]
  /** `client_reference_id` of each session that another shop made with the store's account. */
  elsewhere: ReadonlySet<string>
  databases: Record<ServiceName, Record<string, Row[]>>
  ledger: Ledger['entries']
  processor: ProcessorRecord
  chain: ChainRecord
  topics: TopicRecord[]
  lag: number
  mails: Mail[]
  mailRecord: MailRecord
  /** Of notification's database, until the last fault. */
  transactions: readonly TransactionSample[]
}

export type Sources = {
  run: RunFile
  /** The store's data directory. */
  folder: string
  servers: Servers
  histories: History[]
  answers: Answer[]
  elsewhere: ReadonlySet<string>
  /** File of the journal. */
  journal: string
  transactions: readonly TransactionSample[]
}

export const topicNames: string[] = serviceNames.map(nameInStore)

export async function readWorld(sources: Sources): Promise<World> {
  const { run, folder, servers, histories, answers, elsewhere, journal, transactions } = sources
  const brokers = await brokersOf(folder)
  const databases = await readDatabases(folder)
  const mails = (await (await fetch(`${run.mailboxUrl}/api/email`)).json()) as Mail[]
  return {
    histories,
    answers,
    elsewhere,
    databases,
    ledger: (await ledgerOf(run)).entries,
    processor: await readProcessor(run, folder),
    chain: await readChain(run, servers),
    topics: await readTopics({ brokers, topics: topicNames }),
    lag: await readLag({ brokers, topics: topicNames }),
    mails,
    mailRecord: readMailRecord(journal),
    transactions,
  }
}

export async function brokersOf(folder: string): Promise<string> {
  const { kafka } = JSON.parse(await readFile(join(folder, 'ports.json'), 'utf8')) as { kafka: number }
  return `127.0.0.1:${kafka}`
}

/** All rows of all tables, each database in one snapshot. */
export async function readDatabases(folder: string): Promise<World['databases']> {
  const databases = perService((): Record<string, Row[]> => ({}))
  for (const service of serviceNames) {
    await withDatabase(folder, service, async (client) => {
      await client.query('begin isolation level repeatable read read only')
      const { rows: tables } = await client.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      )
      for (const { name } of tables)
        databases[service][name] = (await client.query(`select * from ${pg.escapeIdentifier(name)}`)).rows
      await client.query('commit')
    })
  }
  return databases
}
