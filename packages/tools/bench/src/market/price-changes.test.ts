import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { changePrices, risingPrices } from './price-changes.ts'

test('no price occurs twice, in one round or in two: a response with an older price of an item shows it', async () => {
  const prices = new Map<string, number>([
    ['a', 120],
    ['b', 120],
  ])
  const set: number[] = []
  const seller = {
    send: async (_: unknown, { params, body }: { params: { identifier: string }; body: { price: number } }) => {
      set.push(body.price)
      prices.set(params.identifier, body.price)
      return { status: 200 }
    },
  }
  const readMarket = async () => ({ nfts: [...prices].map(([_id, price]) => ({ _id, price })) })
  const clients = { seller, readMarket, nextCents: risingPrices() } as never
  const tokens = [...prices.keys()].map((id) => ({ _id: id, contract: 'c', identifier: id }))
  for (let round = 0; round < 2; round++) {
    const before = set.length
    const changing = changePrices(clients, tokens)
    while (set.length < before + 4) await sleep(10)
    expect((await changing.stop()).oldestMs).toBe(0)
  }
  expect(new Set(set).size).toBe(set.length)
})
