import { setTimeout as sleep } from 'node:timers/promises'
import { getReconciliation, type Reconciliation, startReconciliation } from '@nifty/api/payments/ops'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Run } from '../run/part.ts'

const SAMPLE_MS = 250
const PROGRESS_EVERY_MS = 15_000

type Process = { client: ServiceClient; residentMb: () => number; calls?: () => number; log: Run['log'] }

/** Starts a reconciliation and waits for its end. Throws when it found a difference. */
export async function measureReconciliation({ client, residentMb, calls, log }: Process, body: { all?: boolean }) {
  const before = calls?.() ?? 0
  const began = performance.now()
  await client(startReconciliation, { body })
  let [highest, printedAt] = [0, began]
  let run: Reconciliation | null = null
  while (!run?.finishedAt) {
    await sleep(SAMPLE_MS)
    highest = Math.max(highest, residentMb())
    run = (await client(getReconciliation)).run
    if (run?.error) log(`${run.error}, retrying`)
    if (run && performance.now() - printedAt > PROGRESS_EVERY_MS) {
      printedAt = performance.now()
      log(`${run.step}: ${JSON.stringify(run.compared)}, ${highest} MB`)
    }
  }
  if (run.differenceCount > 0) throw new Error(JSON.stringify(run.differences.slice(0, 5)))
  return [
    { name: 'time', unit: 's', figure: (performance.now() - began) / 1_000 },
    { name: 'highest memory', unit: 'MB', figure: highest },
    { name: 'payments compared', unit: '', figure: run.compared.intents ?? 0 },
    ...(calls ? [{ name: 'calls to the processor', unit: '', figure: calls() - before }] : []),
  ]
}
