import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { readJson, writeJson } from '../data-dir.ts'
import { copyTree, hashesOf, keptFiles, type Manifest, machine } from './contents.ts'
import { copyDatabases } from './database.ts'

/** What the launcher tells the operator's tool of the parts that it brought (`operator.json`). */
type Operator = { parts?: { postgresUrl?: string; chainRpcUrl?: string; processor: boolean; uploads: string } }

/** Copies a store that runs. The folder is made, and is there as a whole or not at all. See README.md for the order. */
export async function backUp(home: string, folder: string): Promise<Manifest> {
  const operator = await readJson<Operator>(join(home, 'operator.json'))
  if (!operator) throw new Error(`No store has run on ${home}. Start one with \`npx pnpm start\`, or set NIFTY_HOME.`)
  const { parts } = operator
  if (!parts) throw new Error('Events of this store go through Kafka, which no copy of one moment can hold.')
  if (!parts.postgresUrl)
    throw new Error(
      'POSTGRES_URL names a server of your own: back it up with its own tools, all databases at one moment.',
    )
  await refuseFull(folder)

  const draft = `${resolve(folder)}.unfinished`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  await copyTree(parts.uploads, join(draft, 'uploads'))
  const data = { url: parts.postgresUrl, from: join(home, 'postgres'), to: join(draft, 'postgres') }
  const postgres = await copyDatabases(data).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNREFUSED') throw error
    throw new Error(`The store on ${home} does not run. Start it: its database is asked for a copy.`)
  })
  if (parts.chainRpcUrl) await writeFile(join(draft, 'chain.json'), await stateOf(parts.chainRpcUrl))
  if (parts.processor) await copyTree(join(home, 'processor'), join(draft, 'processor'))
  await copyTree(parts.uploads, join(draft, 'uploads'))
  for (const file of keptFiles)
    await copyFile(join(home, file), join(draft, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })

  const files = await hashesOf(draft)
  const manifest: Manifest = { format: 1, madeAt: new Date().toISOString(), postgres, machine, files }
  await writeJson(join(draft, 'backup.json'), manifest)
  await rm(folder, { recursive: true, force: true })
  await rename(draft, folder)
  return manifest
}

async function refuseFull(folder: string) {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (entries.length > 0) throw new Error(`${folder} is not empty. A backup goes into a folder of its own.`)
}

/** The local chain as it would write itself down when it ends. */
async function stateOf(rpcUrl: string): Promise<Buffer> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_dumpState', params: [] }),
  })
  const { result, error } = (await response.json()) as { result?: string; error?: { message: string } }
  if (!result) throw new Error(`The local chain does not show its state: ${error?.message}`)
  return promisify(gunzip)(Buffer.from(result.slice(2), 'hex'))
}
