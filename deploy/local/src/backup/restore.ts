import { execFileSync } from 'node:child_process'
import { chownSync, lchownSync, lstatSync } from 'node:fs'
import { chmod, cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { installFormerPostgres } from '@nifty/dev-servers/former-postgres'
import { postgresVersion } from '@nifty/dev-servers/postgres'
import { openDataDir, readJson } from '@nifty/testkit/data-dir'
import { BACKUP_FORMAT, hashesOf, type Manifest, platform } from './contents.ts'
import { haltSigners } from './halt-signers.ts'

type Restored = { manifest: Manifest; kept?: string }

/**
 * Replaces a data directory, whose store must not run, by a backup. An existing store is refused or moved aside, as
 * `existing` demands. Nothing is changed before the whole backup has been verified. A backup of a former major of
 * PostgreSQL needs the upgrade of its databases afterwards.
 */
export async function restore(
  folder: string,
  dataDir: string,
  { existing }: { existing: 'refuse' | 'move aside' },
): Promise<Restored> {
  const manifest = await readManifest(folder)
  await openDataDir(dataDir, { fresh: false })
  const isStore = (await readdir(dataDir)).some((name) => ['postgres', 'secrets.json'].includes(name))
  if (isStore && existing === 'refuse')
    throw new Error(
      `${dataDir} has a store. Add \`overwrite\` to replace it by the backup; the old one is moved aside.`,
    )

  const draft = `${resolve(dataDir)}.restoring`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true })
  // Only what was verified: a link could lead out of the folder.
  const isVerified = (path: string) =>
    lstatSync(path).isDirectory() || Object.hasOwn(manifest.files, relative(resolve(folder), path))
  await cp(resolve(folder), draft, { recursive: true, filter: isVerified })
  // As in `openDataDir`: the user that PostgreSQL runs as must be able to traverse the folder.
  if (process.getuid?.() === 0) await chmod(draft, 0o755)
  await prepareDatabases(join(draft, 'postgres'))
  const own = Number.parseInt(await postgresVersion(), 10)
  const former = manifest.postgres === own ? undefined : join(draft, `postgresql-${manifest.postgres}`)
  await haltSigners(
    join(draft, 'postgres'),
    former ? await installFormerPostgres(manifest.postgres, former) : undefined,
  )
  const kept = isStore ? `${resolve(dataDir)}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}` : undefined
  if (kept) await rename(dataDir, kept)
  else await rm(dataDir, { recursive: true, force: true })
  await rename(draft, dataDir)
  return { manifest, kept }
}

async function readManifest(folder: string): Promise<Manifest> {
  const manifest = await readJson<Manifest>(join(folder, 'backup.json'))
  if (!manifest) throw new Error(`${folder} is no backup of a store: it has no backup.json`)
  if (manifest.format !== BACKUP_FORMAT)
    throw new Error(`${folder} is a backup of another version (format ${manifest.format}, expected ${BACKUP_FORMAT})`)
  if (manifest.ownServer)
    throw new Error(
      `The databases of ${folder} belong into the data directory of a server of your own: see deploy/FIRST-SHOP.md, step 7`,
    )
  if (manifest.platform !== platform)
    throw new Error(
      `This backup was made on ${manifest.platform} and this is ${platform}: PostgreSQL's files are not portable`,
    )
  const version = await postgresVersion()
  if (Number.parseInt(version, 10) < manifest.postgres)
    throw new Error(`This backup is of PostgreSQL ${manifest.postgres}, but this version of the store uses ${version}`)
  const found = await hashesOf(resolve(folder))
  const damaged = Object.keys(manifest.files).filter((path) => found[path] !== manifest.files[path])
  if (damaged.length > 0)
    throw new Error(`This backup is damaged, nothing was restored: ${damaged.slice(0, 5).join(', ')}`)
  return manifest
}

/** Creates the folders that a base backup leaves out, and sets owner and mode as PostgreSQL requires them. */
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
    throw new Error('As root, PostgreSQL runs as the user "postgres", which does not exist here: useradd postgres')
  }
}
