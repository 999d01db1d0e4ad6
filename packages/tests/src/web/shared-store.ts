import type { RunFile } from '@nifty/local/run-file'
import { inject } from 'vitest'

/** The store that the test files of this worker share; the first of them starts it. */
export async function sharedStore(): Promise<RunFile> {
  const response = await fetch(`${inject('stores')}/${process.env.VITEST_POOL_ID}`)
  if (!response.ok) throw new Error(`the shared store did not start: ${await response.text()}`)
  return (await response.json()) as RunFile
}
