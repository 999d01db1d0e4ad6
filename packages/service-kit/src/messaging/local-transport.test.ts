import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { testDatabaseUrl, testServerUrl } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { createLocalTransport } from './local-transport.ts'
import { conforms } from './transport.conformance.ts'
import { survives } from './transport.faults.conformance.ts'

const database = `transport_${randomUUID().replaceAll('-', '')}`
const url = testDatabaseUrl(database)
const open = () => createLocalTransport({ url, log: testLog })

/** The server drops every connection, as it does when it is restarted. */
async function interrupt() {
  const server = new pg.Client({ connectionString: testServerUrl() })
  await server.connect()
  await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database])
  await server.end()
}

conforms('local', open)
survives('local', { open, interrupt, transport: { local: url } })
