import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** `backup.json`: written last, so a folder without it is no backup. */
export type Manifest = {
  format: 1
  madeAt: string
  /** A base backup suits the same PostgreSQL on the same kind of machine. */
  postgres: number
  machine: string
  /** SHA-256 of every file, by its path in the backup. */
  files: Record<string, string>
}

export const machine = `${process.platform}-${process.arch}`

/** Small files of a store's home that a restored one needs. */
export const keptFiles = ['secrets.json', 'contracts.json', 'ports.json', 'demo.json']

/** Copies what a running program may change or remove meanwhile: a file that is gone is left out. */
export async function copyTree(
  from: string,
  to: string,
  wanted: (path: string) => boolean = () => true,
  path = '',
): Promise<void> {
  const entries = await readdir(join(from, path), { withFileTypes: true }).catch(ifThere([]))
  await mkdir(join(to, path), { recursive: true })
  for (const entry of entries) {
    const inside = path ? `${path}/${entry.name}` : entry.name
    if (!wanted(inside)) continue
    if (entry.isDirectory()) await copyTree(from, to, wanted, inside)
    else if (entry.isFile()) await copyFile(join(from, inside), join(to, inside)).catch(ifThere(undefined))
  }
}

const ifThere =
  <Instead>(instead: Instead) =>
  (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return instead
  }

export async function hashesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const hashes: Record<string, string> = {}
  for (const path of paths.sort()) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    hashes[path.slice(folder.length + 1)] = hash.digest('hex')
  }
  return hashes
}
