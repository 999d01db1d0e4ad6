import { expect, test } from 'vitest'
import { inlineEndpoints } from './endpoints.ts'

const getOrder = '{"method":"GET","path":"/api/orders/:id","access":"account"}'
const cancelOrder = '{"method":"POST","path":"/api/orders/:id/cancel","access":"account"}'

test('an imported endpoint becomes its method, path and access; types and other imports are left alone', async () => {
  const code = [
    "import { getOrder, type Order, cancelOrder as cancelEndpoint } from '@nifty/api/payments/public'",
    "import type { Mint } from '@nifty/api/minting/public'",
    "import { pages } from '@nifty/api/pages'",
  ].join('\n')

  expect((await inlineEndpoints(code, 'orders.ts'))?.split('\n')).toEqual([
    `const getOrder = ${getOrder}; const cancelEndpoint = ${cancelOrder};`,
    "import type { Mint } from '@nifty/api/minting/public'",
    "import { pages } from '@nifty/api/pages'",
  ])
})

test('what decides whether a request has the token stays with an endpoint', async () => {
  const code = "import { getNft } from '@nifty/api/catalog/public'"
  expect(await inlineEndpoints(code, 'items.ts')).toContain('"access":"public","cached":true}')
})

test('a module without endpoints is not transformed', async () => {
  expect(await inlineEndpoints("import { useState } from 'react'", 'page.tsx')).toBeUndefined()
})

test('a schema cannot be imported: the bundle would need the schema library', async () => {
  const code = "import { Order } from '@nifty/api/payments/public'"
  await expect(inlineEndpoints(code, 'orders.ts')).rejects.toThrow('Order of @nifty/api/payments/public in orders.ts')
})
