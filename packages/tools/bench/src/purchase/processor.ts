import type { RunFile } from '@nifty/testkit/run-file'

const SANDBOX_KEEPS = 10_000

/** Delays each request of the store to the card sandbox, until `stop`. */
export async function slowProcessor(run: RunFile, delayMs: number) {
  const url = faultsUrl(run)
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ request: '*', mode: 'slow', delayMs, times: 1_000_000_000 }),
  })
  if (!response.ok) throw new Error(`no fault in the card sandbox: ${await response.text()}`)
  return {
    stop: async () => {
      await fetch(url, { method: 'DELETE' })
    },
  }
}

/**
 * Counts the calls of the store to the card sandbox: each gets a fault, a delay of 0 ms, and the sandbox lists these.
 */
export async function countProcessorCalls(run: RunFile) {
  const applied = async () => {
    const response = await fetch(faultsUrl(run))
    const { applied } = (await response.json()) as { applied: unknown[] }
    if (applied.length === SANDBOX_KEEPS) throw new Error(`The sandbox lists ${SANDBOX_KEEPS} faults at most`)
    return applied.length
  }
  const before = await applied()
  const { stop } = await slowProcessor(run, 0)
  return { count: async () => (await applied()) - before, stop }
}

const faultsUrl = ({ processorUrl }: RunFile) => `${processorUrl}/sandbox/faults`
