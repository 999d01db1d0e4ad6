import { setTimeout as sleep } from 'node:timers/promises'
import { perService } from '@nifty/api/services'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { HttpClient } from './api-client.ts'
import { seedDemo } from './seed.ts'

/** A store that responds to every call, and takes half a second for a mint. */
function fakeStore() {
  const state = { started: 0, inFlight: 0 }
  const client: HttpClient = {
    inject: async ({ url }) => {
      if (url.endsWith('/mints')) {
        state.started++
        state.inFlight++
        await sleep(500)
        state.inFlight--
      }
      const body = { token: 'token', userId: 'id', username: '@user', message: 'sign this', total: 0 }
      return { statusCode: 200, body: '', json: () => body }
    },
  }
  return { state, clients: perService(() => client) }
}

test('stop waits for the mints in flight, so that the store can stop after it', { timeout: 60_000 }, async () => {
  const { state, clients } = fakeStore()
  const chain = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('{}'))
  onTestFinished(() => chain.mockRestore())
  const done = async () => {}
  const seeding = await seedDemo({
    progress: { read: async () => undefined, write: done },
    log: { error: () => {} },
    print: () => {},
    clients,
    chainRpcUrl: 'http://chain.test',
    works: 12,
    operator: { confirmEmail: done, grantAdmin: done },
  })
  seeding.presentable.catch(() => {})
  await vi.waitUntil(() => state.started >= 3, { timeout: 50_000, interval: 10 })

  await seeding.stop()

  expect(state.inFlight).toBe(0)
})
