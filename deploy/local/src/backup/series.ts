import { access, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readJson, type Secrets, storeIdOf } from '@nifty/testkit/data-dir'
import { backUp, refuseWithin, removeDrafts, type Step, withSpace } from './backup.ts'
import { copyTree, finish, hashesOf, type Manifest, SECRETS, UNFINISHED } from './contents.ts'

/** A backup is kept for `days`, and as one of the newest `atLeast` for as long as it is one. */
export type Retention = { days: number; atLeast: number }
type Entry = { name: string; madeAt: string }
type Options = Retention & { dataDir: string; copyTo?: string }

const DAY_MS = 86_400_000

/** Names of the backups that may go. The newest one always stays. */
export function outdated(backups: Entry[], { days, atLeast }: Retention, nowMs: number): string[] {
  const newestFirst = backups.toSorted((one, other) => other.madeAt.localeCompare(one.madeAt))
  return newestFirst
    .slice(Math.max(1, atLeast))
    .filter(({ madeAt }) => nowMs - Date.parse(madeAt) > days * DAY_MS)
    .map(({ name }) => name)
}

/**
 * Adds a backup to a folder that has one folder for each, copies what is missing to a second place, and removes what is
 * outdated in both, once the new one is complete. Only complete backups of this store are copied or removed.
 */
export async function addToSeries(place: string, { dataDir, copyTo, ...retention }: Options, onStep: Step) {
  // A second place that is not mounted must not be made on the disk of the first.
  if (copyTo)
    await access(copyTo).catch(() => {
      throw new Error(`${copyTo} does not exist: is it mounted?`)
    })
  await mkdir(place, { recursive: true, mode: 0o700 })
  if (copyTo) await refuseWithin(copyTo, place)
  const places = copyTo ? [place, copyTo] : [place]
  const name = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const backup = await backUp(dataDir, join(place, name), onStep, async () => {
    const store = storeIdOf((await readJson<Secrets>(join(dataDir, SECRETS)))!)
    if (copyTo) await copyMissing(place, copyTo, { store, retention, onStep })
    for (const each of places) await tidy(each, store, retention)
  })
  return { name, folders: places.map((each) => join(each, name)), ...backup }
}

/** Complete backups of a store in a folder. */
async function backupsIn(place: string, store: string): Promise<(Entry & { manifest: Manifest })[]> {
  const found: (Entry & { manifest: Manifest })[] = []
  for (const name of await readdir(place)) {
    if (name.endsWith(UNFINISHED)) continue
    const [manifest, secrets] = await Promise.all([
      readJson<Manifest>(join(place, name, 'backup.json')),
      readJson<Secrets>(join(place, name, SECRETS)),
    ])
    if (manifest && secrets && storeIdOf(secrets) === store) found.push({ name, madeAt: manifest.madeAt, manifest })
  }
  return found
}

type Copying = { store: string; retention: Retention; onStep: Step }

async function copyMissing(place: string, copyTo: string, { store, retention, onStep }: Copying) {
  const backups = await backupsIn(place, store)
  const leaving = outdated(backups, retention, Date.now())
  const there = new Set((await backupsIn(copyTo, store)).map(({ name }) => name))
  for (const { name, manifest } of backups) {
    if (there.has(name) || leaving.includes(name)) continue
    const draft = join(copyTo, `${name}${UNFINISHED}`)
    onStep(`Copying ${name} to ${copyTo}`)
    await withSpace(draft, async () => {
      await rm(draft, { recursive: true, force: true })
      await mkdir(draft, { mode: 0o700 })
      await copyFile(join(place, name, SECRETS), join(draft, SECRETS))
      await copyTree(join(place, name), draft, (path) => path !== 'backup.json')
      const hashes = await hashesOf(draft)
      const damaged = Object.keys(manifest.files).filter((path) => hashes[path] !== manifest.files[path])
      if (damaged.length > 0)
        throw new Error(`${join(place, name)} is damaged and was not copied: ${damaged.slice(0, 5).join(', ')}`)
      await finish(draft, join(copyTo, name), manifest)
    })
  }
}

/** Removes outdated backups. They become drafts first: what a kill leaves is removed with the next one. */
async function tidy(place: string, store: string, retention: Retention) {
  for (const name of outdated(await backupsIn(place, store), retention, Date.now()))
    await rename(join(place, name), join(place, `${name}${UNFINISHED}`))
  await removeDrafts(place, store)
}
