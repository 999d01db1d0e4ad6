import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabaseUrl } from '../testing/database.ts'
import { testLog } from '../testing/log.ts'
import { ensureDatabase } from './database.ts'
import { listen } from './listen.ts'

test('a lost connection is opened again, and then reported, since NOTIFYs may have been lost', async () => {
  const url = testDatabaseUrl(`listen_${randomUUID().replaceAll('-', '')}`)
  await ensureDatabase(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const received: (string | undefined)[] = []
  const listener = listen({ url, channel: 'news', onNotify: (payload) => void received.push(payload), log: testLog })
  onTestFinished(async () => {
    await listener.stop()
    await client.end()
  })
  await expect.poll(() => received).toEqual([undefined])
  await client.query(`notify news, 'one'`)
  await expect.poll(() => received).toEqual([undefined, 'one'])

  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen "news"'`)
  await expect.poll(() => received, { timeout: 10_000 }).toEqual([undefined, 'one', undefined])
  await client.query(`notify news, 'two'`)
  await expect.poll(() => received).toEqual([undefined, 'one', undefined, 'two'])
})
