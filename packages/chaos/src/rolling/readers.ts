import { setTimeout as sleep } from 'node:timers/promises'
import type { Nft } from '@nifty/api/catalog/public'
import type { RunFile } from '@nifty/local/run-file'
import { accountsOf, createVisitor } from '@nifty/testkit/visitor'

const READERS = 4
const PAUSE_MS = 50

/** People who look around, log in and subscribe all the time, so that every service is asked; `stop` sends them home. */
export function letRead(run: RunFile, works: Nft[]) {
  const anybody = createVisitor(run)
  const { email, password, username } = accountsOf(run, 'collector')[0]!
  let stopped = false
  let turn = 0

  const visits: ((work: Nft) => Promise<unknown>)[] = [
    () => anybody.market(),
    (work) => anybody.item(work),
    ({ contract, identifier }) => page(`/item-detail/@anyone/${contract}/${identifier}`),
    ({ image }) => page(`${image}?w=320`),
    () => page('/'),
    () => anybody.call('GET', `/api/users/profile/${username}`),
    () => anybody.call('POST', '/api/auth/login', { email, password }),
    () => anybody.call('POST', '/api/subscribe', { email: `reader-${turn}@example.com` }),
    ({ contract, identifier }) => anybody.call('GET', `/api/tokens/${contract}/${identifier}`),
  ]
  const page = async (path: string) => (await fetch(run.url + path)).arrayBuffer()

  const reading = Array.from({ length: READERS }, async () => {
    while (!stopped) {
      turn++
      // What went wrong is counted where all requests are.
      await visits[turn % visits.length]!(works[turn % works.length]!).catch(() => {})
      await sleep(PAUSE_MS)
    }
  })
  return {
    stop: async () => {
      stopped = true
      await Promise.all(reading)
    },
  }
}
