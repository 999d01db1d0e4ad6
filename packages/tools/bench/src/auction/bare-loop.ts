import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { query } from '../cluster/postgres.ts'

/** A table with one row, in the database of the URL. */
export async function createRow(serverUrl: string) {
  await query(serverUrl, 'create table bench_row (value integer not null)')
  await query(serverUrl, 'insert into bench_row values (0)')
}

export const dropRow = (serverUrl: string) => query(serverUrl, 'drop table if exists bench_row')

/** Locks and updates the row again and again, on some connections: transactions a second. */
export async function lockAndUpdate(serverUrl: string, { seconds, atOnce }: { seconds: number; atOnce: number }) {
  let [isOver, transactions] = [false, 0]
  const clients = Array.from({ length: atOnce }, () => new pg.Client({ connectionString: serverUrl }))
  for (const client of clients) await client.connect()
  try {
    const began = performance.now()
    const running = clients.map(async (client) => {
      while (!isOver) {
        await client.query('begin')
        const { rows } = await client.query('select value from bench_row for update')
        await client.query('update bench_row set value = $1', [rows[0].value + 1])
        await client.query('commit')
        transactions++
      }
    })
    await Promise.race([sleep(seconds * 1_000), ...running])
    isOver = true
    await Promise.all(running)
    return (transactions * 1_000) / (performance.now() - began)
  } finally {
    for (const client of clients) await client.end()
  }
}
