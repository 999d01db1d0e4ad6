import { searchAccounts } from '@nifty/api/auth/account-search'
import { searchItems } from '@nifty/api/catalog/item-search'
import { searchOrders } from '@nifty/api/payments/order-search'
import { expect, test } from 'vitest'
import { accountOf, itemIdOf, lineIdOf, orderIdOf } from './lookup.ts'
import { type Store, UsageError } from './store.ts'

const id = 'd3ea7c40-151c-497c-be4d-fd9114883227'
const hash = `0x${'ab'.repeat(32)}`
const line = (_id: string, txHash: string | null) => ({ _id, txHash, name: 'Dusk', price: 120, state: 'completed' })
const order = (_id: string, lines = [line('line 1', null)]) => ({
  _id,
  lines,
  createdAt: 'now',
  total: 120,
  state: 'completed',
})

/** A store whose services respond to searches with these. Records the searches. */
function storeOf({
  orders = [],
  accounts = [],
  items = [],
}: {
  orders?: object[]
  accounts?: object[]
  items?: object[]
}) {
  const responses = new Map<unknown, object>([
    [searchOrders, { orders }],
    [searchAccounts, { accounts }],
    [searchItems, { items }],
  ])
  const bodies: unknown[] = []
  const client = async (endpoint: unknown, { body }: { body: unknown }) => {
    bodies.push(body)
    return responses.get(endpoint)
  }
  return { store: { payments: client, auth: client, catalog: client } as unknown as Store, bodies }
}

test.each<[string, object]>([
  ['D3EA7C40', { order: 'D3EA7C40' }],
  ['pi_3Mtw', { payment: 'pi_3Mtw' }],
  ['cs_test_1', { payment: 'cs_test_1' }],
  [hash, { transaction: hash }],
])('an order is found by %s', async (text, body) => {
  const { store, bodies } = storeOf({ orders: [order(id)] })
  expect(await orderIdOf(store, text)).toBe(id)
  expect(bodies).toEqual([body])
})

test('an id is taken as it is, without a search', async () => {
  const { store, bodies } = storeOf({})
  expect([await orderIdOf(store, id), await itemIdOf(store, id)]).toEqual([id, id])
  expect(bodies).toEqual([])
})

test('nothing found, several found and a text that is nothing are wrong usage, which names what was found', async () => {
  await expect(orderIdOf(storeOf({}).store, 'D3EA7C40')).rejects.toThrow(new UsageError('No order has D3EA7C40.'))
  const several = storeOf({ orders: [order(id), order('another')] }).store
  await expect(orderIdOf(several, 'D3EA7C40')).rejects.toThrow(/^Several orders have D3EA7C40:\nd3ea7c40.*\nanother/)
  await expect(orderIdOf(several, 'yesterday')).rejects.toThrow('yesterday is no number of an order')
  const person = (userId: string) => ({ userId, username: '@ada', firstName: 'Ada', lastName: '', email: 'a@b.cd' })
  await expect(accountOf(storeOf({ accounts: [person('1'), person('2')] }).store, 'ada')).rejects.toThrow(
    /1 {2}@ada.*\n2/,
  )
})

test('a line is that of an order of one line, that of its transaction, or its own id', async () => {
  expect(await lineIdOf(storeOf({ orders: [order(id)] }).store, 'D3EA7C40')).toBe('line 1')
  expect(await lineIdOf(storeOf({ orders: [order(id)] }).store, id)).toBe('line 1')
  expect(await lineIdOf(storeOf({}).store, id)).toBe(id)
  const two = storeOf({ orders: [order(id, [line('line 1', null), line('line 2', hash)])] }).store
  expect(await lineIdOf(two, hash)).toBe('line 2')
  await expect(lineIdOf(two, 'D3EA7C40')).rejects.toThrow(/several lines, name one:\nline 1 .*\nline 2/)
})
