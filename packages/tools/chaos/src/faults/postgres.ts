import { readdir, readFile, rename } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@nifty/testkit/wait-until'
import { acceptsQueries, databaseServerOf, query } from '../campaign/databases.ts'

const BACK_WITHIN = { timeoutMs: 120_000, intervalMs: 50 }

/** Every process of the server stands still. */
export async function hangPostgres(folder: string, ms: number) {
  const { pid } = await databaseServerOf(folder)
  const all = [pid, ...(await childrenOf(pid))]
  for (const each of all) signal(each, 'SIGSTOP')
  await sleep(ms)
  for (const each of all) signal(each, 'SIGCONT')
}

/** One connection's process is killed: the server ends all others and recovers. */
export async function crashPostgres(folder: string) {
  const [connection] = await query<{ pid: number }>(
    folder,
    'payments',
    `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1`,
  )
  process.kill(connection!.pid, 'SIGKILL')
  await waitUntil(async () => acceptsQueries(folder), BACK_WITHIN)
}

/**
 * The server is stopped, as the former primary of a switch-over is, and for `ms` nothing listens at its address. Its
 * launcher goes on trying to start it. The configuration file is moved away until the address is taken, so that no
 * start succeeds before. (A launcher that is stopped instead reads no output: the shutdown waits once that fills.)
 */
export async function switchPostgresOver(folder: string, ms: number) {
  const { pid, port } = await databaseServerOf(folder)
  // So that the shutdown writes little: without it, a slow disk decides how long the switch-over takes.
  await query(folder, 'payments', 'checkpoint')
  const configuration = join(folder, 'postgres', 'postgresql.conf')
  await rename(configuration, `${configuration}.moved`)
  process.kill(pid, 'SIGINT')
  const inItsPlace = await waitUntil(async () => listenOn(port), BACK_WITHIN).finally(() =>
    rename(`${configuration}.moved`, configuration),
  )
  await sleep(ms)
  inItsPlace.close()
  await waitUntil(async () => acceptsQueries(folder), BACK_WITHIN)
}

/** A server that closes each connection; undefined while the port is taken. */
const listenOn = (port: number) =>
  new Promise<ReturnType<typeof createServer> | undefined>((resolve) => {
    const server = createServer((socket) => void socket.destroy())
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Boolean)
  const parents = await Promise.all(
    pids.map(
      async (pid) => (await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')).match(/^PPid:\s(\d+)$/m)?.[1],
    ),
  )
  return pids.filter((_, place) => Number(parents[place]) === parent)
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // A connection of before was closed.
  }
}
