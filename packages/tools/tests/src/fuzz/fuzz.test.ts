import { endpoints } from '@nifty/api/endpoints/all'
import { getDocs } from '@nifty/api/gateway'
import { serviceNames } from '@nifty/api/services'
import { quickChain, startStore } from '@nifty/testkit/store'
import { afterAll, expect, test } from 'vitest'
import { fuzz } from './campaign.ts'
import { type OpenApiDocument, operationsOf } from './document.ts'

const SEED = 2026
const REQUESTS = 2_000
/** Of a run so short: operations that nobody reached past their refusals would show nothing. */
const MIN_SUCCEEDED = 25

// A store of its own: the requests buy works, replace wallets and delete accounts.
const store = await startStore({ env: quickChain })
afterAll(store.remove)

test('the OpenAPI document names every public endpoint', async () => {
  const document = (await (await fetch(store.run.url + getDocs.path)).json()) as OpenApiDocument
  const documented = operationsOf(document).map(({ name }) => name)
  const open = serviceNames.flatMap((service) => endpoints[service].public).filter(({ hidden }) => !hidden)
  expect(documented.sort()).toEqual(
    open.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).sort(),
  )
})

test(`${REQUESTS} requests made from the OpenAPI document are answered as it says`, async () => {
  const { failures, statuses } = await fuzz(store, { requests: REQUESTS, seed: SEED })
  expect(failures).toEqual([])

  const succeeded = [...statuses].filter(([, counts]) => [...counts.keys()].some((status) => status < 300))
  expect(succeeded.length).toBeGreaterThan(MIN_SUCCEEDED)
})
