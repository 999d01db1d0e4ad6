import type { RunFile } from '@nifty/testkit/run-file'
import { createRandom } from '../campaign/random.ts'
import type { Journal } from './journal.ts'

const ALWAYS = 1_000_000

/** Low rates, as long as purchases are made: webhooks, and requests of the store to the card processor. */
const faults = [
  { webhook: '*', mode: 'lose', chance: 0.2 },
  { webhook: '*', mode: 'repeat', chance: 0.15, copies: 5 },
  { webhook: '*', mode: 'reorder', chance: 0.1, window: 4, delayMs: 1_000 },
  { webhook: '*', mode: 'stale', chance: 0.03 },
  { webhook: '*', mode: 'forge', chance: 0.03 },
  { request: '*', mode: 'timeout_after', chance: 0.01, delayMs: 500 },
  { request: '*', mode: 'timeout_before', chance: 0.01, delayMs: 500 },
  { request: '*', mode: 'error_after', chance: 0.01 },
  { request: '*', mode: 'error_before', chance: 0.01 },
  { request: '*', mode: 'rate_limit', chance: 0.02 },
]

/** Faults of the card processor, with random numbers of their own. */
export async function addProcessorFaults(
  { processorUrl }: RunFile,
  { seed, journal }: { seed: string; journal: Journal },
) {
  const random = createRandom(`${seed}.processor`)
  const url = `${processorUrl}/sandbox/faults`
  for (const fault of faults) {
    const body = { ...fault, times: ALWAYS, seed: random.between(0, 2 ** 31) }
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`fault ${JSON.stringify(fault)}: ${await response.text()}`)
  }
  return {
    /** Ends them, and writes those that applied into the journal. */
    clear: async () => {
      const { applied } = (await (await fetch(url)).json()) as { applied: { mode: string }[] }
      for (const each of applied) journal.write({ actor: 'processor', what: each.mode, applied: each })
      await fetch(url, { method: 'DELETE' })
    },
  }
}
