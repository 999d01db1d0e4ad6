import { execFileSync } from 'node:child_process'
import { chownSync, lchownSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { postgresVersion } from '@nifty/dev-servers/postgres'
import { openHome, readJson } from '../data-dir.ts'
import { hashesOf, type Manifest, machine } from './contents.ts'

export type Restored = { manifest: Manifest; kept?: string }

/**
 * Makes a backup the store of `home`, which must not run. A store that is there already is refused, or moved aside when
 * that is allowed; nothing is touched before the backup was read as a whole.
 */
export async function restore(
  folder: string,
  home: string,
  { existing }: { existing: 'refuse' | 'move aside' },
): Promise<Restored> {
  const manifest = await readManifest(folder)
  await openHome(home, { fresh: false })
  const isStore = (await readdir(home)).some((name) => ['postgres', 'secrets.json'].includes(name))
  if (isStore && existing === 'refuse')
    throw new Error(`${home} has a store. Say \`overwrite\` to put the backup in its place; it is moved aside.`)

  const draft = `${resolve(home)}.restoring`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  await cp(folder, draft, { recursive: true, filter: (path) => !path.endsWith('backup.json') })
  await prepareDatabases(join(draft, 'postgres'))
  const kept = isStore ? `${resolve(home)}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}` : undefined
  if (kept) await rename(home, kept)
  else await rm(home, { recursive: true, force: true })
  await rename(draft, home)
  // As `openHome` has it: the user that PostgreSQL runs as must be let through.
  if (process.getuid?.() === 0) await chmod(home, 0o755)
  return { manifest, kept }
}

async function readManifest(folder: string): Promise<Manifest> {
  const manifest = await readJson<Manifest>(join(folder, 'backup.json'))
  if (manifest?.format !== 1) throw new Error(`${folder} is no backup of a store: it has no backup.json`)
  if (manifest.machine !== machine)
    throw new Error(
      `This backup was made on ${manifest.machine} and this is ${machine}: PostgreSQL's files do not suit it`,
    )
  const version = await postgresVersion()
  if (Number.parseInt(version, 10) !== manifest.postgres)
    throw new Error(`This backup is of PostgreSQL ${manifest.postgres}, and the store brings ${version}`)
  const found = await hashesOf(resolve(folder))
  const damaged = Object.keys(manifest.files).filter((path) => found[path] !== manifest.files[path])
  if (damaged.length > 0)
    throw new Error(`This backup is damaged, nothing was restored: ${damaged.slice(0, 5).join(', ')}`)
  return manifest
}

/** The folders that a base backup leaves empty, and whose server refuses to run with a folder that others may read. */
async function prepareDatabases(folder: string) {
  const empty = ['dynshmem', 'notify', 'serial', 'snapshots', 'stat_tmp', 'subtrans', 'replslot', 'tblspc', 'twophase']
  for (const name of [...empty, 'commit_ts', 'wal/archive_status', 'wal/summaries'])
    await mkdir(join(folder, `pg_${name}`), { recursive: true })
  await chmod(folder, 0o700)
  if (process.getuid?.() !== 0) return
  const [uid, gid] = [idOf('-u'), idOf('-g')]
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    lchownSync(join(entry.parentPath, entry.name), uid, gid)
  chownSync(folder, uid, gid)
}

function idOf(which: '-u' | '-g'): number {
  try {
    return Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }))
  } catch {
    throw new Error('As root, PostgreSQL runs as the user "postgres", who does not exist here: useradd postgres')
  }
}
