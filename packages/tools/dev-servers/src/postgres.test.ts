import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startPostgres } from './postgres.ts'
import { temporaryFolder } from './temporary-folder.ts'

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test('a killed server restarts at the same address with its committed data', async () => {
  const folder = join(await temporaryFolder('postgres'), 'data')
  const { url, stop } = await startPostgres({ folder, durable: true })
  onTestFinished(stop)
  await query(url, 'create table thing as select 7 as number')

  const pidOf = async () => Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n', 1)[0])
  const before = await pidOf()
  process.kill(before, 'SIGKILL')
  const rows = await vi.waitUntil(() => query(url, 'select number from thing').catch(() => undefined), {
    timeout: 50_000,
    interval: 50,
  })
  expect(rows).toEqual([{ number: 7 }])
  expect(await pidOf()).not.toBe(before)
})

test('a new data folder removes the password files of starts that were killed, and no others', async () => {
  const [temporary, folder] = [await temporaryFolder('passwords'), await temporaryFolder('postgres')]
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  const anHourAgo = Date.now() / 1_000 - 3_600
  for (const [name, text, at] of [
    ['pg-password-killed', 'nifty\n', anHourAgo],
    ['pg-password-foreign', 'another\n', anHourAgo],
    ['pg-password-running', 'nifty\n', Date.now() / 1_000],
  ] as const) {
    await writeFile(join(temporary, name), text)
    await utimes(join(temporary, name), at, at)
  }
  const { stop } = await startPostgres({ folder: join(folder, 'data'), durable: false })
  await stop()
  expect((await readdir(temporary)).sort()).toEqual(['pg-password-foreign', 'pg-password-running'])
})
