import type { TokenSides } from '@nifty/api/payments/lost-works'
import { expect, test } from 'vitest'
import { lostWorkCommands } from './lost-works.ts'
import type { Store } from './store.ts'

const lost: TokenSides = {
  token: '0xab/7',
  chain: { ownerId: 'd3ea7c40-151c-497c-be4d-fd9114883227', hasMint: false },
  item: null,
  difference: 'is on the chain, but not in catalog',
  acknowledged: null,
}

async function preview(sides: TokenSides) {
  const queries: unknown[] = []
  const payments = async (_endpoint: unknown, { query }: { query: unknown }) => {
    queries.push(query)
    return sides
  }
  const { preview } = lostWorkCommands['acknowledge-lost-work']!
  return { ...(await preview!({ payments } as unknown as Store, ['0xAB/7'])), queries }
}

test('a lost work is shown on both sides, and to be acknowledged', async () => {
  const { text, ok, changes, queries } = await preview(lost)
  expect(queries).toEqual([{ token: '0xab/7' }])
  expect(text).toMatch(/exists +yes +no/)
  expect(text).toContain('d3ea7c40-151c-497c-be4d-fd9114883227')
  expect(text).toContain('minting has no mint of it')
  expect({ ok, changes }).toEqual({ ok: false, changes: true })
})

test('of a work that minting has the events are to be published again', async () => {
  const { text } = await preview({ ...lost, chain: { ...lost.chain!, hasMint: true } })
  expect(text).toContain('pnpm ops republish minting')
})

test('another difference is not acknowledged', async () => {
  const ownerId = lost.chain!.ownerId
  const { text, ok, changes } = await preview({ ...lost, item: { ownerId: null }, difference: `belongs to ${ownerId}` })
  expect(text).toContain('that is no lost work')
  expect({ ok, changes }).toEqual({ ok: false, changes: false })
})

test('an acknowledged work names who acknowledged it and why', async () => {
  const acknowledged = { by: 'ada', reason: 'minted after the backup', at: '2026-11-24T10:00:00.000Z', until: null }
  const { text, ok, changes } = await preview({ ...lost, acknowledged })
  expect(text).toContain('Acknowledged by ada on 2026-11-24T10:00:00.000Z: minted after the backup')
  expect({ ok, changes }).toEqual({ ok: true, changes: false })
})
