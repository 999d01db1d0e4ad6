import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Store, startStore } from '@nifty/testkit/store'
import { startThirdParties } from '@nifty/testkit/third-parties'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address that returns the run file of a worker's store: `/<worker>`. */
    stores: string
    /** Origin of the third parties whose scripts and film the store's pages load. */
    thirdParties: string
  }
}

const WORKS = 32

/**
 * One store for each worker, started when its first test file needs it. Files of one worker run one after the other:
 * each test makes its own accounts and takes a work that no other test touches.
 */
export async function setup(project: TestProject) {
  const thirdParties = await startThirdParties()
  const stores = new Map<string, Promise<Store>>()
  const storeOf = (worker: string) => {
    const known = stores.get(worker) ?? startStore({ works: WORKS, env: thirdParties.env })
    stores.set(worker, known)
    return known
  }

  const server = createServer((request, response) => {
    storeOf(request.url ?? '/').then(
      ({ run }) => response.setHeader('content-type', 'application/json').end(JSON.stringify(run)),
      (error: Error) => response.writeHead(500).end(error.message),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('stores', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  project.provide('thirdParties', thirdParties.origin)
  return async () => {
    server.close()
    for (const store of await Promise.allSettled(stores.values()))
      if (store.status === 'fulfilled') await store.value.remove()
    await thirdParties.stop()
  }
}
