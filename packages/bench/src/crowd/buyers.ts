import type { RunFile } from '@nifty/local/run-file'
import type { ApiClient } from '@nifty/testkit/api-client'
import { apiClientOf, createUser } from '@nifty/testkit/users'

const AT_ONCE = 8

/** New accounts without wallet: their works go into custody. */
export async function createBuyers(run: RunFile, count: number): Promise<ApiClient[]> {
  const buyers: ApiClient[] = []
  let left = count
  const worker = async () => {
    while (left-- > 0) buyers.push(apiClientOf(run, await createUser(run)))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return buyers
}
