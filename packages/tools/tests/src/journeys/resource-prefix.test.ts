import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import { openChain } from '@nifty/testkit/chain'
import { violations } from '@nifty/testkit/invariants'
import { buyersOf, purchase } from '@nifty/testkit/purchase'
import { quickChain, type Store, startStore } from '@nifty/testkit/store'
import { availableWork } from '@nifty/testkit/works'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'

const RESOURCE_PREFIX = 'gallery'

let store: Store
let server: string

beforeAll(async () => {
  store = await startStore({ works: 4, env: { ...quickChain, RESOURCE_PREFIX } })
  const operator = JSON.parse(await readFile(join(store.folder, 'operator.json'), 'utf8'))
  server = operator.local.postgresUrl
})
afterAll(() => store?.remove())

test('a store with a prefix sells, and all its databases carry it', async () => {
  const [buyer] = await buyersOf(store.run)
  const chain = openChain(store.run)
  const sale = await purchase(store.run, buyer!, await availableWork(buyer!.client)).sale
  expect(await violations(store.run, chain, [sale])).toEqual([])
  chain.close()

  const client = new pg.Client({ connectionString: server })
  await client.connect()
  const { rows } = await client.query('select datname from pg_database where not datistemplate')
  await client.end()
  const names = [...serviceNames, 'transport'].map((name) => `${RESOURCE_PREFIX}-${name}`)
  expect(rows.map(({ datname }) => datname).sort()).toEqual([...names, 'postgres'].sort())
})

test('a launcher with another STORE_ID on the same server ends with a sentence', async () => {
  const env = { POSTGRES_URL: server, RESOURCE_PREFIX, STORE_ID: 'other' }
  const output = await startStore({ works: 4, env }).then(
    () => 'it started',
    (error: Error) => error.message,
  )
  expect(output).toMatch(/gallery-transport belongs to the store [0-9a-f]+\. This is the store other .*RESOURCE_PREFIX/)
  expect(output).not.toMatch(/^ +at /m)
})
