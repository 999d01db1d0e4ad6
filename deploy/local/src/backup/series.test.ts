import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { readSecrets, writeJson } from '@nifty/testkit/data-dir'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { backUp } from './backup.ts'
import { hashesOf, type Manifest } from './contents.ts'
import { restore } from './restore.ts'
import { addToSeries, outdated } from './series.ts'

const home = await temporaryFolder('series')
const dataDir = join(home, 'store')
const place = join(home, 'backups')
let server: Awaited<ReturnType<typeof startPostgres>>

const dataDirOf = (folder: string) => ({ folder, file: (...names: string[]) => join(folder, ...names) })
const namesIn = async (folder: string) => (await readdir(folder)).sort()
const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'backup.json'), 'utf8'))

beforeAll(async () => {
  await mkdir(join(dataDir, 'uploads'), { recursive: true })
  await writeFile(join(dataDir, 'uploads', 'cover.webp'), 'a picture')
  await readSecrets(dataDirOf(dataDir))
  server = await startPostgres({ folder: join(dataDir, 'postgres'), durable: false })
  await writeJson(join(dataDir, 'operator.json'), {
    local: { postgresUrl: server.url, processor: false, uploads: join(dataDir, 'uploads') },
  })
})
afterAll(async () => {
  await server?.stop()
})

const add = (options: Partial<Parameters<typeof addToSeries>[1]> = {}) =>
  addToSeries(place, { dataDir, days: 30, atLeast: 1, ...options }, () => {})

/** A complete backup that was made `days` ago. */
async function addOld(name: string, days: number, from: string) {
  await cp(join(place, from), join(place, name), { recursive: true })
  const madeAt = new Date(Date.now() - days * 86_400_000).toISOString()
  await writeJson(join(place, name, 'backup.json'), { ...(await manifestOf(join(place, name))), madeAt })
}

test('the newest backups stay, and of the older ones those of the last days', () => {
  const backups = [1, 5, 20, 40, 50].map((days) => ({
    name: `${days}`,
    madeAt: new Date(Date.UTC(2026, 10, 27) - days * 86_400_000).toISOString(),
  }))
  const now = Date.UTC(2026, 10, 27)
  expect(outdated(backups, { days: 30, atLeast: 1 }, now)).toEqual(['40', '50'])
  expect(outdated(backups, { days: 30, atLeast: 4 }, now)).toEqual(['50'])
  expect(outdated(backups, { days: 1, atLeast: 0 }, now)).toEqual(['5', '20', '40', '50'])
  expect(outdated(backups.slice(4), { days: 1, atLeast: 0 }, now)).toEqual([])
})

test('a backup is added, copied to the second place, and outdated ones of this store alone are removed', async () => {
  const second = join(home, 'second')
  await expect(add({ copyTo: second })).rejects.toThrow('is it mounted?')
  const first = await add()
  await addOld('old', 31, first.name)
  await addOld('of another store', 31, first.name)
  await rm(join(place, 'of another store', 'secrets.json'))
  await readSecrets(dataDirOf(join(place, 'of another store')))
  const drafts = ['of a kill.unfinished', 'of another store.unfinished', 'of nobody.unfinished']
  for (const name of drafts) await mkdir(join(place, name))
  await copyFile(join(dataDir, 'secrets.json'), join(place, drafts[0]!, 'secrets.json'))
  await readSecrets(dataDirOf(join(place, drafts[1]!)))
  await writeFile(join(place, 'notes.txt'), '')

  await mkdir(second)
  await cp(join(place, drafts[0]!), join(second, drafts[0]!), { recursive: true })
  await expect(backUp(dataDir, join(place, first.name), () => {})).rejects.toThrow('is not empty')
  const steps: string[] = []
  const next = await addToSeries(place, { dataDir, days: 30, atLeast: 1, copyTo: second }, (step) => steps.push(step))
  expect(steps.filter((step) => / old to /.test(step))).toEqual([])
  expect(await namesIn(place)).toEqual(
    [first.name, next.name, 'notes.txt', 'of another store', ...drafts.slice(1)].sort(),
  )
  expect(await namesIn(second)).toEqual([first.name, next.name].sort())
  const { files } = await manifestOf(join(second, next.name))
  const { 'backup.json': _, ...copied } = await hashesOf(join(second, next.name))
  expect(copied).toEqual(files)
  expect(files).toHaveProperty(['uploads/cover.webp'])
  expect(files).toHaveProperty(['postgres/PG_VERSION'])
  await rm(join(place, 'of another store'), { recursive: true })
})

test('a damaged backup is not copied, and a failure removes none', async () => {
  const second = join(home, 'third')
  await mkdir(second)
  const { name } = await add()
  await addOld('old', 31, name)
  await writeFile(join(place, name, 'uploads', 'cover.webp'), 'another')
  await expect(add({ copyTo: second })).rejects.toThrow(`${name} is damaged and was not copied: uploads/cover.webp`)
  expect(await namesIn(place)).toContain('old')
  expect((await namesIn(second)).filter((each) => each.endsWith('.unfinished'))).toEqual([])
  await rm(join(place, name), { recursive: true })
})

test('two backups at once are refused, and one that is killed does not look complete', async () => {
  const began = Promise.withResolvers<void>()
  const one = backUp(
    dataDir,
    join(home, 'one'),
    () => {},
    () => began.promise,
  )
  await vi.waitUntil(async () => (await readdir(home)).includes('one'), { timeout: 20_000, interval: 20 })
  await expect(add()).rejects.toThrow('Another backup of this store is being made.')
  began.resolve()
  await one

  const script = `import(${JSON.stringify(join(import.meta.dirname, 'backup.ts'))}).then(({ backUp }) =>
    backUp(${JSON.stringify(dataDir)}, ${JSON.stringify(join(place, 'killed'))}, (step) => {
      if (/Hashing/.test(step)) process.kill(process.pid, 'SIGKILL')
    }))`
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
  await once(child, 'exit')
  expect(await namesIn(place)).toContain('killed.unfinished')
  expect(await namesIn(join(place, 'killed.unfinished'))).not.toContain('backup.json')
  const { name } = await add()
  expect(await namesIn(place)).toContain(name)
  expect(await namesIn(place)).not.toContain('killed.unfinished')
})

test('a second place that is the first one, or within it, and a folder within the store are refused', async () => {
  const link = join(home, 'link')
  await symlink(place, link)
  const within = join(place, 'within')
  await mkdir(within)
  for (const copyTo of [place, link, within]) await expect(add({ copyTo })).rejects.toThrow('must be apart')
  await rm(within, { recursive: true })
  await expect(backUp(dataDir, join(dataDir, 'uploads', 'a'), () => {})).rejects.toThrow('must be apart')
})

test('of a backup only the files that it lists are restored, and no link', async () => {
  const { name } = await add()
  const [folder, target] = [join(place, name), join(home, 'target')]
  const restored = join(home, 'restored')
  await writeFile(join(folder, 'added.json'), '{}')
  await symlink('/etc', join(folder, 'added'))
  await restore(folder, restored, { existing: 'refuse' })
  expect(await namesIn(restored)).toEqual(['postgres', 'secrets.json', 'uploads'])

  await mkdir(target)
  await rename(join(folder, 'postgres'), join(home, 'moved'))
  await symlink(target, join(folder, 'postgres'))
  const manifest = await manifestOf(folder)
  for (const files of [manifest.files, {}]) {
    await writeJson(join(folder, 'backup.json'), { ...manifest, files })
    await expect(restore(folder, join(home, 'never'), { existing: 'refuse' })).rejects.toThrow()
  }
  expect(await namesIn(target)).toEqual([])
  for (const files of [{ '../../moved/PG_VERSION': 'a' }, { '/etc/passwd': 'a' }]) {
    await writeJson(join(folder, 'backup.json'), { ...manifest, files })
    await expect(restore(folder, join(home, 'never'), { existing: 'refuse' })).rejects.toThrow('is damaged')
  }
  await rm(folder, { recursive: true })
})

test('a server that does not run is named', async () => {
  await rename(join(dataDir, 'operator.json'), join(dataDir, 'operator.former.json'))
  await expect(add()).rejects.toThrow('No store has run')
  await writeJson(join(dataDir, 'operator.json'), {
    local: {
      postgresUrl: 'postgres://nifty@127.0.0.1:1/postgres',
      processor: false,
      uploads: join(dataDir, 'uploads'),
    },
  })
  await expect(add()).rejects.toThrow('does not run')
})
