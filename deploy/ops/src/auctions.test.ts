import { searchAccounts } from '@nifty/api/auth/account-search'
import {
  type FoundAuction,
  type FoundBid,
  getAuction,
  listAuctions,
  voidAuction,
} from '@nifty/api/catalog/auction-search'
import { searchItems } from '@nifty/api/catalog/item-search'
import { expect, test } from 'vitest'
import type { Report } from './command.ts'
import { commands } from './commands.ts'
import type { Store } from './store.ts'

const [id, itemId] = ['d3ea7c40-151c-497c-be4d-fd9114883227', 'f1e0f3ab-151c-497c-be4d-fd9114883227']
const auction: FoundAuction = {
  id,
  itemId,
  token: '0xab/1',
  name: 'Dusk\u001b[2J',
  sellerId: 'ben',
  opening: 50,
  hours: 24,
  createdAt: '2026-11-27T10:00:00.000Z',
  startsAt: null,
  endsAt: null,
  latestEndAt: null,
  state: 'void',
  price: 120.5,
  leaderOrder: null,
  bids: 1,
  endedAt: '2026-11-27T11:00:00.000Z',
  why: 'operator',
  sellerVoided: 2,
}
const bid: FoundBid = {
  orderId: 'b1ea7c40-151c-497c-be4d-fd9114883227',
  bidderId: 'ada',
  limit: 777,
  state: 'ended',
  why: 'outbid',
  startedAt: '2026-11-27T10:10:00.000Z',
  stoodAt: '2026-11-27T10:11:00.000Z',
  price: 120.5,
}

/** A store with these auctions. Records the calls to catalog. */
function storeOf({ auctions = [auction], next = null as string | null } = {}) {
  const calls: unknown[] = []
  const responses = new Map<unknown, object>([
    [searchAccounts, { accounts: [{ userId: 'ben', username: '@ben' }] }],
    [searchItems, { items: [{ itemId }] }],
    [listAuctions, { auctions, next }],
    [getAuction, { auction, bids: [bid] }],
  ])
  const client = async (endpoint: unknown, input: object) => {
    if (endpoint === listAuctions || endpoint === getAuction || endpoint === voidAuction) calls.push(input)
    return responses.get(endpoint) ?? { success: true }
  }
  return { store: { catalog: client, auth: client } as unknown as Store, calls }
}

const action = { reason: 'asked for by mail' }
const run = async (store: Store, name: string, args: string[] = [], options: Record<string, string> = {}) =>
  commands[name]!.run(store, args, action, undefined, options)
const textOf = (report: string | Report) => (typeof report === 'string' ? report : report.text)

test('auctions are listed with seller, reason and the one to go on after, without characters that a terminal obeys', async () => {
  const { store, calls } = storeOf({ next: id })
  const text = textOf(await run(store, 'auctions'))
  expect(text).toMatch(/void: operator .*2026-11-27T11:00:00\.000Z .*50\.00 € .*120\.50 € .*Dusk \[2J/)
  expect(text).toContain(`More: --after ${id}`)
  expect(calls).toEqual([{ query: {} }])
})

test('auctions are found by work, account, state and place', async () => {
  const { store, calls } = storeOf({ auctions: [] })
  const options = { work: 'Dusk', of: '@ben', state: 'void', after: id }
  expect(textOf(await run(store, 'auctions', [], options))).toBe('No auction.')
  expect(calls).toEqual([{ query: { itemId, accountId: 'ben', state: 'void', after: id } }])
  await expect(run(store, 'auctions', [], { state: 'over' })).rejects.toThrow('--state is one of open, awarded')
})

test('an auction is printed with its bids and their maxima, by its work or its own id', async () => {
  const byWork = storeOf()
  const text = textOf(await run(byWork.store, 'auction', ['Dusk']))
  expect(text).toContain(`Auction ${id} of Dusk [2J by`)
  expect(text).toContain('ended 2026-11-27T11:00:00.000Z\nVoid auctions of its seller with bids: 2')
  expect(text).toMatch(/ended: outbid .*777\.00 € .*120\.50 € .*ada/)
  expect(byWork.calls).toEqual([{ query: { itemId, state: 'any' } }, { params: { id } }])

  const byId = storeOf({ auctions: [] })
  await run(byId.store, 'auction', [id])
  expect(byId.calls.at(-1)).toEqual({ params: { id } })
  await expect(run(storeOf({ auctions: [] }).store, 'auction', ['Dusk'])).rejects.toThrow('never on auction')
})

test('an auction is ended with a reason', async () => {
  const { store, calls } = storeOf()
  expect(await run(store, 'void-auction', [itemId])).toBe('The auction is void.')
  expect(calls.at(-1)).toEqual({ params: { id }, body: action })
})
