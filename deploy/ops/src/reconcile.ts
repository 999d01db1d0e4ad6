import { setTimeout as sleep } from 'node:timers/promises'
import { getReconciliation, type Reconciliation, startReconciliation } from '@nifty/api/payments/ops'
import { plural } from '@nifty/api/plural'
import { describeAcknowledgement } from './alarms.ts'
import type { Command } from './command.ts'
import { euros, table } from './format.ts'
import { type Store, UsageError } from './store.ts'

const POLL_MS = 500
const PROGRESS_EVERY_MS = 5_000
/** Payments goes on with a run whose pages fail; this tool stops waiting for it. */
const GIVE_UP_AFTER_MS = 120_000

export const reconcileCommand: Command = {
  usage: '[all or a date]',
  about:
    'compares books, card processor and chain since the last time, since a date or all; exit code 1 when they differ',
  json: true,
  run: async (store, [from]) => {
    const request = parseFrom(from)
    const started = await store.payments(startReconciliation, { body: request })
    const run = await waitForEnd(store, started)
    const isFinished = run.finishedAt !== null
    const ok = isFinished && run.differenceCount === 0
    return {
      text: [...report(run), isFinished ? (ok ? 'Balanced.' : 'NOT BALANCED') : notFinished(run)].join('\n'),
      ok,
      json: run,
    }
  },
}

function parseFrom(text: string | undefined) {
  if (text === undefined) return {}
  if (text === 'all') return { all: true }
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new UsageError(`${text} is neither a date, such as 2026-11-22, nor \`all\``)
  if (time > Date.now()) throw new UsageError(`${text} is in the future`)
  return { since: text }
}

/** Prints the progress to the standard error until the run is finished, or fails for too long. */
async function waitForEnd(store: Store, started: Reconciliation): Promise<Reconciliation> {
  let run = started
  let [progress, progressAt] = ['', performance.now()]
  let [printed, printedAt] = ['', Number.NEGATIVE_INFINITY]
  while (run.finishedAt === null && performance.now() - progressAt < GIVE_UP_AFTER_MS) {
    await sleep(POLL_MS)
    run = (await store.payments(getReconciliation)).run ?? run
    const current = progressOf(run)
    if (current !== progress) [progress, progressAt] = [current, run.error === null ? performance.now() : progressAt]
    if (current === printed || performance.now() - printedAt < PROGRESS_EVERY_MS) continue
    process.stderr.write(`${current}\n`)
    ;[printed, printedAt] = [current, performance.now()]
  }
  return run
}

const progressOf = ({ step, compared, error }: Reconciliation) =>
  `${step ?? 'finished'}: ${step === null ? '' : (compared[step] ?? 0)} compared${error ? `; ${error}, retrying` : ''}`

const notFinished = ({ error }: Reconciliation) =>
  `NOT FINISHED: ${error ?? 'no progress'}. The run continues in payments; see it again with \`pnpm ops reconcile\`.`

function report(run: Reconciliation): string[] {
  const { since, until, compared, ours, processor, differences, differenceCount, acknowledgedCount } = run
  const cents = (amount: number) => euros(amount / 100)
  const labels = {
    heldCents: 'held',
    capturedCents: 'captured',
    releasedCents: 'released',
    inFlightCents: 'in flight',
    withdrawnCents: 'refunded and disputed',
  } as const
  const rows = (Object.keys(labels) as (keyof typeof labels)[]).map((name) => [
    labels[name],
    cents(ours[name]),
    cents(processor[name]),
  ])
  const counts = Object.entries(compared).map(([step, count]) => [step.replaceAll('_', ' '), String(count)])
  return [
    `Recorded from ${since} until ${until}, and all orders that changed or are open:`,
    '',
    table([['money', 'store', 'processor'], ...rows]),
    '',
    table([['compared', ''], ...counts]),
    '',
    ...differences.map(
      (difference) =>
        `${subjectOf(difference)}: ${difference.detail} (since ${difference.foundAt}, ${difference.kind} ${difference.subject})`,
    ),
    ...(differenceCount > differences.length
      ? [`and ${plural(differenceCount - differences.length, 'further difference')}`]
      : []),
    ...run.acknowledged.map(
      ({ acknowledged, ...difference }) =>
        `ACKNOWLEDGED ${subjectOf(difference)}: ${difference.detail} (${describeAcknowledgement(acknowledged)})`,
    ),
    ...(acknowledgedCount > 0 ? [`${plural(acknowledgedCount, 'acknowledged difference')}, not counted`] : []),
  ]
}

/** Differences are listed by order where they have one. */
function subjectOf({ kind, subject, orderId, intentId }: Reconciliation['differences'][number]): string {
  if (kind === 'token' || kind === 'line') return `TOKEN ${kind === 'line' ? `line ${subject}` : subject}`
  if (kind === 'reservation') return `WORK ${subject} (order ${orderId})`
  if (kind === 'payout') return `MONEY payout ${subject}`
  return `MONEY ${[orderId && `order ${orderId}`, intentId && `payment ${intentId}`].filter(Boolean).join(', ') || subject}`
}
