import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { readJson, writeJson } from '@nifty/testkit/data-dir'
import { BACKUP_FORMAT, copyTree, hashesOf, keptFiles, type Manifest, platform } from './contents.ts'
import { copyDatabases } from './database.ts'

/** `operator.json`, as the launcher writes it. `local`: absent with Kafka; `uploads`: absent with a bucket. */
type Operator = { local?: { postgresUrl?: string; chainRpcUrl?: string; processor: boolean; uploads?: string } }

/**
 * Copies the running store of a data directory. The folder is created completely or not at all. README.md has the
 * order. `hasPictures` is false when they are in a bucket.
 */
export async function backUp(
  dataDir: string,
  folder: string,
  onStep: (step: string) => void,
): Promise<{ manifest: Manifest; hasPictures: boolean }> {
  const operator = await readJson<Operator>(join(dataDir, 'operator.json'))
  if (!operator)
    throw new Error(`No store has run on ${dataDir}. Start one with \`npx pnpm start\`, or set NIFTY_HOME.`)
  const { local } = operator
  if (!local)
    throw new Error('Events of this store go through Kafka, which a backup at one point in time cannot include.')
  if (!local.postgresUrl)
    throw new Error(
      'POSTGRES_URL names a server of your own: back it up with its own tools, all databases at one point in time.',
    )
  await refuseNonEmpty(folder)

  const draft = `${resolve(folder)}.unfinished`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  const copyPictures = async () => {
    if (local.uploads) await copyTree(local.uploads, join(draft, 'uploads'))
  }
  onStep('Copying pictures')
  await copyPictures()
  onStep('Copying the databases')
  const data = { url: local.postgresUrl, from: join(dataDir, 'postgres'), to: join(draft, 'postgres') }
  const postgres = await copyDatabases(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNREFUSED') throw error
    throw new Error(`The store on ${dataDir} does not run. Start it: the copy is made by its database server.`)
  })
  onStep('Copying the chain, the card sandbox and new pictures')
  if (local.chainRpcUrl) await writeFile(join(draft, 'chain.json'), await stateOf(local.chainRpcUrl))
  if (local.processor) await copyTree(join(dataDir, 'processor'), join(draft, 'processor'))
  await copyPictures()
  for (const file of keptFiles)
    await copyFile(join(dataDir, file), join(draft, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })

  const files = await hashesOf(draft, (done, of) => onStep(`Hashing files: ${done} of ${of}`))
  const manifest: Manifest = { format: BACKUP_FORMAT, madeAt: new Date().toISOString(), postgres, platform, files }
  await writeJson(join(draft, 'backup.json'), manifest)
  await rm(folder, { recursive: true, force: true })
  await rename(draft, folder)
  return { manifest, hasPictures: local.uploads !== undefined }
}

async function refuseNonEmpty(folder: string) {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.length > 0) throw new Error(`${folder} is not empty. A backup needs a new or an empty folder.`)
}

/** The state of the local chain, as anvil writes it to its state file. */
async function stateOf(rpcUrl: string): Promise<Buffer> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_dumpState', params: [] }),
  })
  const { result, error } = (await response.json()) as { result?: string; error?: { message: string } }
  if (!result) throw new Error(`The local chain did not return its state: ${error?.message}`)
  return promisify(gunzip)(Buffer.from(result.slice(2), 'hex'))
}
