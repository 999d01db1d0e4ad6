import { missing, note, type Outcome, ok } from './check.ts'

const HOURS_AT_MOST = 26

/**
 * Reads folders: time of the newest entry that has content, in ms since 1970 (null: none), and the number of the
 * device.
 */
export type Folders = {
  newest: (folder: string) => Promise<number | null>
  device: (folder: string) => Promise<number>
}

/** A backup of the last night, on another device than the data. */
export async function checkBackup(
  { backups, data }: { backups: string | undefined; data: string },
  folders: Folders,
  nowMs: number,
): Promise<Outcome> {
  if (!backups) return missing('BACKUP_DIR is not set: the folder into which the nightly backup is written')
  const newest = await folders.newest(backups)
  if (newest === null) return missing(`${backups} has no backup: run the nightly backup of FIRST-SHOP.md`)
  const hours = Math.round((nowMs - newest) / 3_600_000)
  if (hours > HOURS_AT_MOST) return missing(`the newest backup in ${backups} is ${hours} hours old: look at its timer`)
  if ((await folders.device(backups)) === (await folders.device(data)))
    return missing(`${backups} is on the same device as ${data}: mount another one, or another place`)
  return ok(`${backups} has one of ${hours} hours ago, on another device`)
}

/** Accounts that may mint and sell. */
export const checkSellers = (count: number): Outcome =>
  count > 0
    ? ok(`${count} may mint and sell`)
    : note('nobody may sell yet: sign up, then `pnpm ops grant-admin <email>`')

const RECONCILED_WITHIN_HOURS = 30

const metricOf = (metrics: string | undefined, name: string) => {
  const [, value] = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics ?? '') ?? []
  return value === undefined ? undefined : Number(value)
}

const unread = (): Outcome => missing('payments reports no metrics of it: look at its database and its log')

/** `metrics` of payments, in Prometheus' text format. The age is reported always, also where nothing was compared. */
export function checkReconciliation(metrics: string | undefined): Outcome {
  const balanced = metricOf(metrics, 'nifty_reconcile_balanced')
  const seconds = metricOf(metrics, 'nifty_reconcile_age_seconds')
  if (seconds === undefined) return unread()
  const hours = Math.floor(seconds / 3_600)
  if (balanced === undefined && hours > RECONCILED_WITHIN_HOURS)
    return missing(`the first order is ${hours} hours old, and nothing was compared: run \`pnpm ops reconcile\``)
  if (balanced === undefined) return note('not run yet: `pnpm ops reconcile` runs it now')
  if (balanced === 0) return missing('books, processor and chain differ: run `pnpm ops reconcile`, then its runbook')
  return hours <= RECONCILED_WITHIN_HOURS
    ? ok(`books, processor and chain agreed ${hours} hours ago`)
    : missing(`books, processor and chain agreed ${hours} hours ago: run \`pnpm ops reconcile\``)
}

/** The alarms of payments that were raised within a day and not acknowledged; each has a line, also without any. */
export function checkAlarms(metrics: string | undefined): Outcome {
  const counted = [...(metrics ?? '').matchAll(/^nifty_alarms_last_day\{name="([^"]+)"\} (\d+)$/gm)]
  if (counted.length === 0) return unread()
  const raised = counted.filter(([, , count]) => Number(count) > 0).map(([, name]) => name)
  return raised.length === 0 ? ok('none within a day') : missing(`${raised.join(', ')}: see \`pnpm ops status\``)
}
