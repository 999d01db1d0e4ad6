import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Store } from '@nifty/testkit/store'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that returns the store of a worker (`/<worker>`), see `shared-store.ts`. */
    stores: string
  }
}

/** Minted with their pictures, each by another artist. */
const SEEDED_WORKS = 16
/** Copied from these: further pages of lists, further works by an artist, and a work for each test that buys one. */
const COPIED_WORKS = 48

/**
 * One store for each worker, started when its first test file needs it. Files of one worker run one after the other:
 * each test makes its own accounts and takes a work that no other test touches.
 */
export async function setup(project: TestProject) {
  const stores = new Map<string, Promise<Store & { thirdParties: string; supportKey: string }>>()
  const stops: (() => Promise<unknown>)[] = []

  async function start() {
    // Loaded on demand: most test runs need no store.
    const [{ operatorEntry }, { quickChain, startStore }, { startThirdParties }, { addWorks }] = await Promise.all([
      import('@nifty/service-kit/http/operator-token'),
      import('@nifty/testkit/store'),
      import('@nifty/testkit/third-parties'),
      import('./more-works.ts'),
    ])
    const thirdParties = await startThirdParties()
    stops.push(thirdParties.stop)
    const supportKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const OPERATORS = operatorEntry('ben:support', supportKey)
    const store = await startStore({ works: SEEDED_WORKS, env: { ...quickChain, ...thirdParties.env, OPERATORS } })
    stops.push(store.remove)
    await addWorks(store, SEEDED_WORKS, COPIED_WORKS)
    return { ...store, thirdParties: thirdParties.origin, supportKey }
  }
  const storeOf = (worker: string) => {
    const store = stores.get(worker) ?? start()
    stores.set(worker, store)
    return store
  }

  const server = createServer((request, response) => {
    storeOf(request.url ?? '/').then(
      ({ run, folder, thirdParties, supportKey }) =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ run, folder, thirdParties, supportKey })),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('stores', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    await Promise.allSettled(stores.values())
    for (const stop of stops.reverse()) await stop()
  }
}
