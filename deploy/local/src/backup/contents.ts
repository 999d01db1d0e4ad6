import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeJson } from '@nifty/testkit/data-dir'

/** Backups of another format are refused. 2: the data directory has a format of its own. */
export const BACKUP_FORMAT = 2

/** `backup.json`: written last, so a folder without it is an incomplete backup. */
export type Manifest = {
  format: number
  madeAt: string
  /** A base backup fits the same major version of PostgreSQL on the same platform only. */
  postgres: number
  platform: string
  /** The databases are of a server of the operator's own, whose data directory they belong into. */
  ownServer?: true
  /** SHA-256 of every file, by its path in the backup. */
  files: Record<string, string>
}

/** End of the name of a folder in which a backup is being made. */
export const UNFINISHED = '.unfinished'

export const platform = `${process.platform}-${process.arch}`

export const SECRETS = 'secrets.json'

/** Small files of the data directory that a restored store needs beside its secrets. */
export const keptFiles = ['format.json', 'contracts.json', 'ports.json', 'demo.json']

/** Copies a folder that is in use: files that are removed meanwhile are left out. */
export async function copyTree(
  from: string,
  to: string,
  wanted: (path: string) => boolean = () => true,
  path = '',
): Promise<void> {
  const entries = await readdir(join(from, path), { withFileTypes: true }).catch(unlessMissing([]))
  await mkdir(join(to, path), { recursive: true })
  for (const entry of entries) {
    const relative = path ? `${path}/${entry.name}` : entry.name
    if (!wanted(relative)) continue
    if (entry.isDirectory()) await copyTree(from, to, wanted, relative)
    else if (entry.isFile()) await copyFile(join(from, relative), join(to, relative)).catch(unlessMissing(undefined))
  }
}

const unlessMissing =
  <Fallback>(fallback: Fallback) =>
  (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return fallback
  }

export async function hashesOf(
  folder: string,
  onFile: (done: number, of: number) => void = () => {},
): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const hashes: Record<string, string> = {}
  for (const [done, path] of paths.sort().entries()) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    hashes[path.slice(folder.length + 1)] = hash.digest('hex')
    onFile(done + 1, paths.length)
  }
  return hashes
}

/** Completes a backup: its files are on the disk before it has `backup.json` and its name. */
export async function finish(draft: string, folder: string, manifest: Manifest) {
  for (const path of Object.keys(manifest.files)) await flush(join(draft, path))
  await writeJson(join(draft, 'backup.json'), manifest)
  await flush(join(draft, 'backup.json'))
  await rm(folder, { recursive: true, force: true })
  await rename(draft, folder)
}

async function flush(file: string) {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
