import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { openDataDir, readSecrets } from './data-dir.ts'

const newFolder = async () => join(await temporaryFolder('data-dir'), 'store')

test('a data directory keeps its secrets when it is opened again', async () => {
  const folder = await newFolder()
  const secrets = await readSecrets(await openDataDir(folder, { fresh: false }))

  expect(await readSecrets(await openDataDir(folder, { fresh: false }))).toEqual(secrets)
})

test('a data directory of an older format is refused, unless the store starts over', async () => {
  const folder = await newFolder()
  const { file } = await openDataDir(folder, { fresh: false })
  const { authSigningKey } = await readSecrets({ folder, file })
  await rm(file('format.json'))

  await expect(openDataDir(folder, { fresh: false })).rejects.toThrow('Start with --fresh to replace it')
  const emptied = await openDataDir(folder, { fresh: true })
  expect((await readSecrets(emptied)).authSigningKey).not.toBe(authSigningKey)
})

test('a data directory with a running store is refused', async () => {
  const folder = await newFolder()
  const { file } = await openDataDir(folder, { fresh: false })
  // A process with `deploy/local` in its command line is taken for a store.
  const store = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)', 'deploy/local'])
  onTestFinished(() => void store.kill('SIGKILL'))
  await writeFile(file('processes.json'), JSON.stringify({ store: store.pid, dependencies: store.pid }))

  await expect(openDataDir(folder, { fresh: false })).rejects.toThrow(`A store already runs on ${folder}`)
})

test('of two stores that start on one data directory at the same time one is refused', async () => {
  const folder = await newFolder()
  const open = `import(${JSON.stringify(join(import.meta.dirname, 'data-dir.ts'))})
    .then(({ openDataDir }) => openDataDir(${JSON.stringify(folder)}, { fresh: true }))
    .then(() => process.stdout.write('opened'), ({ message }) => process.stdout.write(message))`
  const start = async () => {
    const store = spawn(process.execPath, ['-e', `${open}; setTimeout(() => {}, 60_000)`, 'deploy/local'])
    onTestFinished(() => void store.kill('SIGKILL'))
    return { store, said: String((await once(store.stdout, 'data'))[0]) }
  }
  const starting = await Promise.all([start(), start(), start()])
  const opened = starting.filter(({ said }) => said === 'opened')
  expect(opened).toHaveLength(1)
  for (const { said } of starting.filter((one) => one !== opened[0]))
    expect(said).toContain(`A store already runs on ${folder} (process ${opened[0]!.store.pid})`)

  opened[0]!.store.kill('SIGKILL')
  await once(opened[0]!.store, 'exit')
  expect((await start()).said).toBe('opened')
})
