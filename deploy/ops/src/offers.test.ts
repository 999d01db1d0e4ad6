import { searchAccounts } from '@nifty/api/auth/account-search'
import { searchItems } from '@nifty/api/catalog/item-search'
import { type FoundOffer, listOffers } from '@nifty/api/catalog/offer-search'
import { cancelOrder, getOrderHistory } from '@nifty/api/payments/ops'
import { expect, test } from 'vitest'
import type { Report } from './command.ts'
import { commands } from './commands.ts'
import type { Store } from './store.ts'

const orderId = 'd3ea7c40-151c-497c-be4d-fd9114883227'
const offer: FoundOffer = {
  orderId,
  itemId: 'f1e0f3ab-151c-497c-be4d-fd9114883227',
  token: '0xab/1',
  name: 'Dusk\u001b[2J',
  ownerId: 'owner',
  buyerId: 'buyer',
  price: 120.5,
  days: 3,
  state: 'ended',
  why: 'declined',
  startedAt: '2026-11-27T10:00:00.000Z',
  endsAt: '2026-11-30T10:00:00.000Z',
  endedAt: '2026-11-28T09:00:00.000Z',
}
const order = {
  _id: orderId,
  kind: 'offer',
  state: 'held',
  total: 120.5,
  captured: 0,
  wallet: null,
  decideBy: offer.endsAt,
  lines: [],
  timeline: [],
}
const history = { order, buyerId: 'buyer', money: 'held', held: 120.5, intentId: 'pi_1' }
const none = { alarms: [], events: [], refunds: [], reversals: [], entries: [], actions: [], notes: [] }

/** A store with these offers. Records what catalog is searched for. */
function storeOf({ offers = [offer], next = null, cancelled = 'released', kind = 'offer' }: Partial<Given> = {}) {
  const queries: unknown[] = []
  const responses = new Map<unknown, object>([
    [searchAccounts, { accounts: [{ userId: 'buyer', username: '@ben' }] }],
    [searchItems, { items: [{ itemId: offer.itemId }] }],
    [listOffers, { offers, next }],
    [getOrderHistory, { ...history, order: { ...order, kind }, ...none }],
    [cancelOrder, { ...order, state: cancelled }],
  ])
  const client = async (endpoint: unknown, input: { query?: unknown }) => {
    if (endpoint === listOffers) queries.push(input.query)
    return responses.get(endpoint) ?? { actions: [] }
  }
  return { store: { catalog: client, auth: client, payments: client, minting: client } as unknown as Store, queries }
}
type Given = { offers: FoundOffer[]; next: string | null; cancelled: string; kind: 'offer' | 'bid' }

const run = async (store: Store, name: string, args: string[] = [], options: Record<string, string> = {}) =>
  commands[name]!.run(store, args, { reason: 'asked for by mail' }, undefined, options)
const textOf = (report: string | Report) => (typeof report === 'string' ? report : report.text)

test('offers are listed with names, reason and the offer to go on after, without characters that a terminal obeys', async () => {
  const { store, queries } = storeOf({ next: orderId })
  const text = textOf(await run(store, 'offers'))
  expect(text).toContain('D3EA7C40')
  expect(text).toMatch(/ended: declined .*120\.50 € .*@ben .*owner .*Dusk \[2J/)
  expect(text).toContain(`More: --after ${orderId}`)
  expect(queries).toEqual([{}])
})

test('offers are found by work, account, state and place', async () => {
  const { store, queries } = storeOf({ offers: [] })
  const options = { work: 'Dusk', of: '@ben', state: 'ended', after: orderId }
  expect(textOf(await run(store, 'offers', [], options))).toBe('No offer.')
  expect(queries).toEqual([{ itemId: offer.itemId, accountId: 'buyer', state: 'ended', after: orderId }])
  await expect(run(store, 'offers', [], { state: 'won' })).rejects.toThrow('--state is one of started, open')
})

test('the history of an offer says so, and what is held until when', async () => {
  const text = textOf(await run(storeOf().store, 'order', [orderId]))
  expect(text).toContain(`Offer D3EA7C40 (${orderId}): held, 120.50 €`)
  expect(text).toContain(`120.50 € held until the owner decides, by ${offer.endsAt}`)
})

test('the history of a bid says so, and that its auction decides', async () => {
  const text = textOf(await run(storeOf({ kind: 'bid' }).store, 'order', [orderId]))
  expect(text).toContain(`Bid D3EA7C40 (${orderId}): held, 120.50 €`)
  expect(text).toContain('120.50 € held until the auction is decided: see `pnpm ops auctions --of buyer`')
})

test('an offer is released by the command that cancels orders, which fails while it is still held', async () => {
  expect(await run(storeOf().store, 'cancel-order', [orderId])).toBe('The order is released.')
  expect(await run(storeOf({ cancelled: 'held' }).store, 'cancel-order', [orderId])).toMatchObject({
    ok: false,
    text: expect.stringContaining('still held'),
  })
})
