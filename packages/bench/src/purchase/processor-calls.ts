import type { RunFile } from '@nifty/local/run-file'

/**
 * Counts the calls of the store to the card sandbox: each gets a fault that only delays it, by `delayMs` (default 0), and
 * the sandbox lists the faults that applied. It keeps 10,000 of them.
 */
export async function countProcessorCalls({ processorUrl }: RunFile, delayMs = 0) {
  const url = `${processorUrl}/sandbox/faults`
  const applied = async () => {
    const { applied } = (await (await fetch(url)).json()) as { applied: unknown[] }
    return applied.length
  }
  const before = await applied()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ request: '*', mode: 'slow', delayMs, times: 1_000_000_000 }),
  })
  if (!response.ok) throw new Error(`no fault in the card sandbox: ${await response.text()}`)
  return {
    count: async () => (await applied()) - before,
    stop: async () => {
      await fetch(url, { method: 'DELETE' })
    },
  }
}
