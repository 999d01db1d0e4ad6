/** `generated-client.test.ts` makes `paths.ts` of the store's document, and compiles both. */
import createClient from 'openapi-fetch'
import type { components, paths } from './paths.ts'

type Order = components['schemas']['Order']

/** Signs up, buys a work of the first page into custody, and returns the order once it has ended. */
export async function buy(
  baseUrl: string,
  itemId: string,
  {
    account,
    payAt,
  }: {
    account: paths['/api/auth/signup']['post']['requestBody']['content']['application/json']
    payAt: (url: string) => Promise<unknown>
  },
): Promise<Order> {
  const store = createClient<paths>({ baseUrl })
  const made = await store.POST('/api/auth/signup', { body: account })
  if (!made.data?.success) throw new Error(made.error?.message)
  const { email, password } = account
  const session = await store.POST('/api/auth/login', { body: { email, password } })
  if (!session.data || !('token' in session.data))
    throw new Error(session.error?.message ?? 'a second factor is needed')
  const headers = { authorization: `Bearer ${session.data.token}` }

  const market = await store.GET('/api/nfts/market', { params: { query: { page: 1, limit: 200 } } })
  const work = market.data?.nfts.find(({ _id }) => _id === itemId)
  if (!work || work.price === null) throw new Error(market.error?.message ?? 'the work is not for sale')
  const { _id, price } = work
  const started = await store.POST('/api/nfts/test', {
    headers,
    body: { amount: price, items: [{ _id, price }], deliverTo: 'custody' },
  })
  if (!started.data) throw new Error(started.error.message)
  await payAt(started.data.url)

  for (;;) {
    const { data: order, error } = await store.GET('/api/orders/{id}', {
      headers,
      params: { path: { id: started.data.orderId } },
    })
    if (!order) throw new Error(error.message)
    if (order.state === 'completed' || order.state === 'released') return order
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
