import { setTimeout as sleep } from 'node:timers/promises'
import { getPublicProfile, login, logout } from '@nifty/api/auth/public'
import type { Nft } from '@nifty/api/catalog/public'
import { getTokenMetadata } from '@nifty/api/minting/public'
import { subscribeToNewsletter } from '@nifty/api/notification/public'
import { accountsOf, createApiClient } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'

const READERS = 4
const PAUSE_MS = 50

/** Clients that read, log in and subscribe in a loop, so that every service gets requests, until `stop`. */
export function startReaders(run: RunFile, works: Nft[]) {
  const client = createApiClient(run)
  const { email, password, username } = accountsOf(run, 'collector')[0]!
  let stopped = false
  let turn = 0

  const requests: ((work: Nft) => Promise<unknown>)[] = [
    () => client.market(),
    (work) => client.item(work),
    ({ contract, identifier }) => page(`/item-detail/@anyone/${contract}/${identifier}`),
    ({ image }) => page(`${image}?w=320`),
    () => page('/'),
    () => client.send(getPublicProfile, { params: { username } }),
    logInAndOut,
    () => client.send(subscribeToNewsletter, { body: { email: `reader-${turn}@example.com` } }),
    ({ contract, identifier }) => client.send(getTokenMetadata, { params: { contract, identifier } }),
  ]
  const page = async (path: string) => (await fetch(run.url + path)).arrayBuffer()
  // The account is a buyer's: sessions beyond its limit would end those of the purchases.
  async function logInAndOut() {
    const { body } = await client.send(login, { body: { email, password } })
    if (body.success) await createApiClient(run, body.token).send(logout)
  }

  const reading = Array.from({ length: READERS }, async () => {
    while (!stopped) {
      turn++
      // Failed requests are counted in requests.ts.
      await requests[turn % requests.length]!(works[turn % works.length]!).catch(() => {})
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
