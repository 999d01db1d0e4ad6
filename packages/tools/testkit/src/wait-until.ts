import { setTimeout as sleep } from 'node:timers/promises'

export type WaitOptions = { timeoutMs?: number; intervalMs?: number }

/** Polls until `check` resolves to a value other than `undefined` or `false`; throws after `timeoutMs`. */
export async function waitUntil<Value>(
  check: () => Promise<Value | undefined | false>,
  { timeoutMs = 90_000, intervalMs = 100 }: WaitOptions = {},
): Promise<Value> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const value = await check()
    if (value !== undefined && value !== false) return value
    if (Date.now() > deadline) throw new Error(`timed out after ${timeoutMs} ms`)
    await sleep(intervalMs)
  }
}
