import { missing, type Outcome, ok } from './check.ts'

const HOURS_AT_MOST = 26

/**
 * Reads folders: time of the newest entry that has content, in ms since 1970 (null: none), and the number of the
 * device.
 */
export type Folders = {
  newest: (folder: string) => Promise<number | null>
  device: (folder: string) => Promise<number>
}

/** A backup of the last night. */
export async function checkNewest(backups: string, folders: Pick<Folders, 'newest'>, nowMs: number): Promise<Outcome> {
  const newest = await folders.newest(backups)
  if (newest === null) return missing(`${backups} has no backup: run the nightly backup of FIRST-SHOP.md`)
  const hours = Math.round((nowMs - newest) / 3_600_000)
  return hours > HOURS_AT_MOST
    ? missing(`the newest backup in ${backups} is ${hours} hours old: look at its timer`)
    : ok(`${backups} has one of ${hours} hours ago`)
}

/** A backup of the last night, on another device than the data. */
export async function checkBackup(
  { backups, data }: { backups: string | undefined; data: string },
  folders: Folders,
  nowMs: number,
): Promise<Outcome> {
  if (!backups) return missing('BACKUP_DIR is not set: the folder into which the nightly backup is written')
  const newest = await checkNewest(backups, folders, nowMs)
  if (newest.state !== 'ok') return newest
  if ((await folders.device(backups)) === (await folders.device(data)))
    return missing(`${backups} is on the same device as ${data}: mount another one, or another place`)
  return ok(`${newest.text}, on another device`)
}
