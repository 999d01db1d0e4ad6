import { copyFile, mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { readJson, type Secrets, storeIdOf } from '@nifty/testkit/data-dir'
import pg from 'pg'
import {
  BACKUP_FORMAT,
  copyTree,
  finish,
  hashesOf,
  keptFiles,
  type Manifest,
  platform,
  SECRETS,
  UNFINISHED,
} from './contents.ts'
import { copyDatabases, copyFromServer } from './database.ts'

/** `operator.json`, as the launcher writes it. `local`: absent with Kafka; `uploads`: absent with a bucket. */
type Operator = { local?: { postgresUrl?: string; chainRpcUrl?: string; processor: boolean; uploads?: string } }

export type Step = (step: string) => void

/** Held while a backup is made: the server drops it with the connection of a process that is killed. */
const LOCK = 7_318_402_266

/**
 * Copies the running store of a data directory. The folder is created completely or not at all. README.md has the
 * order. Throws while another backup of this store is made; `then` is run before the next one may begin. `hasPictures`
 * is false when they are in a bucket.
 */
export async function backUp(
  dataDir: string,
  folder: string,
  onStep: Step,
  then: () => Promise<void> = async () => {},
): Promise<{ manifest: Manifest; hasPictures: boolean }> {
  const operator = await readJson<Operator>(join(dataDir, 'operator.json'))
  if (!operator)
    throw new Error(`No store has run on ${dataDir}. Start one with \`npx pnpm start\`, or set NIFTY_HOME.`)
  const { local } = operator
  if (!local)
    throw new Error('Events of this store go through Kafka, which a backup at one point in time cannot include.')
  const url = local.postgresUrl ?? process.env.POSTGRES_URL
  if (!url) throw new Error('The store uses a PostgreSQL server of your own: set POSTGRES_URL here too.')
  await refuseNonEmpty(folder)
  await refuseWithin(folder, dataDir)
  if (local.uploads) await refuseWithin(folder, local.uploads)

  const lock = new pg.Client({ connectionString: url })
  await lock.connect().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNREFUSED') throw error
    throw new Error(`The store on ${dataDir} does not run. Start it: the copy is made by its database server.`)
  })
  try {
    const { rows } = await lock.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK])
    if (!rows[0]!.taken) throw new Error('Another backup of this store is being made.')
    const draft = `${resolve(folder)}${UNFINISHED}`
    const manifest = await withSpace(draft, () => copyStore(dataDir, { local, url, draft, folder, onStep }))
    await then()
    return { manifest, hasPictures: local.uploads !== undefined }
  } finally {
    await lock.end()
  }
}

type Copied = { local: NonNullable<Operator['local']>; url: string; draft: string; folder: string; onStep: Step }

async function copyStore(dataDir: string, { local, url, draft, folder, onStep }: Copied): Promise<Manifest> {
  const secrets = join(dataDir, SECRETS)
  await removeDrafts(dirname(draft), storeIdOf((await readJson<Secrets>(secrets))!))
  await mkdir(draft, { recursive: true, mode: 0o700 })
  // First: a later backup recognises by it what a killed one left.
  await copyFile(secrets, join(draft, SECRETS))
  const copyPictures = async () => {
    if (local.uploads) await copyTree(local.uploads, join(draft, 'uploads'))
  }
  onStep('Copying pictures')
  await copyPictures()
  onStep('Copying the databases')
  const to = join(draft, 'postgres')
  const postgres = local.postgresUrl
    ? await copyDatabases({ url, from: join(dataDir, 'postgres'), to })
    : await copyFromServer(url, to)
  onStep('Copying the chain, the card sandbox and new pictures')
  if (local.chainRpcUrl) await writeFile(join(draft, 'chain.json'), await stateOf(local.chainRpcUrl))
  if (local.processor) await copyTree(join(dataDir, 'processor'), join(draft, 'processor'))
  await copyPictures()
  for (const file of keptFiles)
    await copyFile(join(dataDir, file), join(draft, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })

  const files = await hashesOf(draft, (done, of) => onStep(`Hashing files: ${done} of ${of}`))
  const madeAt = new Date().toISOString()
  const ownServer = local.postgresUrl ? undefined : true
  const manifest: Manifest = { format: BACKUP_FORMAT, madeAt, postgres, platform, ownServer, files }
  await finish(draft, folder, manifest)
  return manifest
}

/** What killed backups of a store left in a place, where other stores may be making theirs. */
export async function removeDrafts(place: string, store: string) {
  for (const name of await readdir(place).catch(() => [])) {
    if (!name.endsWith(UNFINISHED)) continue
    const secrets = await readJson<Secrets>(join(place, name, SECRETS))
    if (secrets && storeIdOf(secrets) === store) await rm(join(place, name), { recursive: true, force: true })
  }
}

/** Throws for a folder that is another one, or in it, by links too. */
export async function refuseWithin(folder: string, other: string) {
  const path = relative(await realPath(other), await realPath(folder))
  if (path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path))
    throw new Error(`${folder} is in ${other}: the two must be apart.`)
}

/** Of what may not be there yet. */
async function realPath(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined)
  return found ?? join(await realPath(dirname(resolve(path))), basename(path))
}

/** Removes the draft when it cannot be completed, and says when the disk is full. */
export async function withSpace<Result>(draft: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    throw new Error(`The disk of ${dirname(draft)} is full: the backup is not there, and no other was removed.`)
  }
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
