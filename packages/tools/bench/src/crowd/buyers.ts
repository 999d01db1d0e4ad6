import type { ApiClient } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'
import { apiClientOf, createUser } from '@nifty/testkit/users'
import { forEachAtOnce } from '../run/at-once.ts'

const AT_ONCE = 8

/** New accounts without wallet: their works go into custody. */
export async function createBuyers(run: RunFile, count: number): Promise<ApiClient[]> {
  const buyers: ApiClient[] = []
  await forEachAtOnce(Array.from({ length: count }), AT_ONCE, async () => {
    buyers.push(apiClientOf(run, await createUser(run)))
  })
  return buyers
}
