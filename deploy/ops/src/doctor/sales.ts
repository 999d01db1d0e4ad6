import { missing, note, type Outcome, ok } from './check.ts'

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
