import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { wholeMarket } from '@nifty/chaos/campaign/shop'
import { createApiClient } from '@nifty/testkit/api-client'
import type { openChain } from '@nifty/testkit/chain'
import type { Sale } from '@nifty/testkit/purchase'
import type { RunFile } from '@nifty/testkit/run-file'
import pg from 'pg'
import type { Pod } from './pods.ts'

/**
 * Reads a process from outside: it is unprivileged and cannot become root, and its root file system refuses a write, of
 * root too. Returns 1; throws otherwise.
 */
export async function checkProcess({ container, name }: Pod): Promise<1> {
  const pid = await container.pid()
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, uid] = /^Uid:\s+(\d+)/m.exec(status) ?? []
  const [, noNewPrivileges] = /^NoNewPrivs:\s+(\d)/m.exec(status) ?? []
  if (uid !== '1000' || noNewPrivileges !== '1')
    throw new Error(`${name} runs as user ${uid}, with no-new-privileges ${noNewPrivileges}`)
  const app = `/proc/${pid}/root/app`
  await access(join(app, 'service/src/main.ts'))
  const refusal = await writeFile(join(app, 'written'), '').then(
    () => 'nothing',
    ({ code }: NodeJS.ErrnoException) => code,
  )
  if (refusal !== 'EROFS') throw new Error(`${name}: ${refusal} refused a write to its root`)
  return 1
}

/** Sold works are in the buyers' wallets, all others in the custody of the delivery contract. */
export async function compareOwners(
  run: RunFile,
  chain: ReturnType<typeof openChain>,
  { sales, minted }: { sales: readonly Sale[]; minted: readonly string[] },
) {
  const wallets = new Map(sales.map(({ work, buyer }) => [work._id, buyer.wallet]))
  const works = await wholeMarket(createApiClient(run))
  const violations = minted
    .filter((name) => !works.some((work) => work.name === name))
    .map((name) => `the market lacks "${name}"`)
  for (const work of works) {
    const owner = await chain.ownerOf(work)
    const expected = wallets.get(work._id) ?? run.contracts.delivery
    if (owner.toLowerCase() !== expected.toLowerCase())
      violations.push(`"${work.name}" belongs to ${owner} on the chain, instead of ${expected}`)
  }
  return { compared: works.length, violations }
}

/**
 * How long the main thread of a process waited for a processor and ran, in seconds (`/proc/<pid>/schedstat`): where it
 * waits much longer than it runs, the machine is overloaded, and requests fail by time-outs between services.
 */
export async function processorTimes({ container }: Pod) {
  const text = await readFile(`/proc/${await container.pid()}/schedstat`, 'utf8')
  const [ran, waited] = text.split(' ').map((nanoseconds) => Number(nanoseconds) / 1e9)
  return { ran: ran!, waited: waited! }
}

/** Requests that processes refused with 500 or above, with the code of the error, and those that the gateway lost. */
export async function loggedFailures(folder: string) {
  const logs = join(folder, 'logs')
  const found: string[] = []
  for (const file of await readdir(logs)) {
    const lines = (await readFile(join(logs, file), 'utf8')).split('\n').filter((line) => line.startsWith('{'))
    for (const { msg, method, route, status, code, ms, upstream, err } of lines.map((line) => JSON.parse(line)))
      if (msg === 'request completed' && status >= 500)
        found.push(`in ${file}: ${method} ${route}: ${status} ${code ?? 'without a code'} after ${ms} ms`)
      else if (msg === 'upstream request failed, returning 503') found.push(`in ${file}: ${upstream}: ${err?.message}`)
  }
  return found
}

/** What went to PgBouncer, Kafka and the bucket. `hadFolders`: pictures were in the components' folders before. */
export async function usedServers(
  folder: string,
  { poolerUrl, hadFolders }: { poolerUrl: string; hadFolders: boolean },
) {
  const counts = {
    'transactions through PgBouncer': await transactionsOf(poolerUrl),
    'partitions of Kafka': (await readdir(join(folder, 'kafka/data'))).filter((name) => /-\d+$/.test(name)).length,
    'pictures in the bucket': await filesIn(join(folder, 'object-storage/data/nifty')),
  }
  const violations = Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [`none: ${what}`] : []))
  const left = await filesIn(join(folder, 'data'))
  if (left > 0 !== hadFolders) violations.push(`${left} files are in the folders of components`)
  return { counts, violations }
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile()).length

async function transactionsOf(poolerUrl: string) {
  const url = new URL(poolerUrl)
  url.pathname = 'pgbouncer'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const { rows } = await client.query<{ total_xact_count: string }>('show stats')
  await client.end()
  return rows.reduce((sum, row) => sum + Number(row.total_xact_count), 0)
}
