import type { RunFile } from '@nifty/testkit/run-file'
import { inject } from 'vitest'

type SharedStore = {
  run: RunFile
  /** Its data directory. */
  folder: string
  /** Origin of the third parties whose scripts and film the store's pages load. */
  thirdParties: string
  /** Private key of its operator `ben`, who has the role `support` (PKCS#8 PEM). */
  supportKey: string
}

/** The store that the test files of this worker share; the first of them starts it. */
export async function sharedStore(): Promise<SharedStore> {
  const response = await fetch(`${inject('stores')}/${process.env.VITEST_POOL_ID}`)
  if (!response.ok) throw new Error(`the shared store did not start: ${await response.text()}`)
  return (await response.json()) as SharedStore
}
