import { spawn } from 'node:child_process'
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
