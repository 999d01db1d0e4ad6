import { expect, test } from 'vitest'
import { deliveryCommands } from './deliveries.ts'
import type { Store } from './store.ts'

const hour = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()
const code = 'd3ea7c40-151c-497c-be4d-fd9114883227'
const wallet = '0x52908400098527886E0F7030069857D2E4169EE7'

async function preview(deletedHoursAgo: number) {
  const deletedAt = ago(deletedHoursAgo)
  const queries: unknown[] = []
  const event = { at: ago(deletedHoursAgo + 1), kind: 'email_confirmed', outcome: 'ok', address: '192.0.2.7' }
  const store = {
    minting: async () => ({ userId: code, deletedAt, from: ago(deletedHoursAgo - 24) }),
    auth: async (_: unknown, { query }: { query: unknown }) => {
      queries.push(query)
      return { events: [event] }
    },
  }
  const shown = await deliveryCommands['hand-back']!.preview!(store as unknown as Store, [code, wallet])
  return { ...shown, queries, deletedAt }
}

test('before works are handed back the changes of the account in its last seven days are shown', async () => {
  const { text, changes, queries, deletedAt } = await preview(30)
  const since = new Date(Date.parse(deletedAt) - 7 * 24 * hour).toISOString()
  expect(queries).toEqual([{ user: code, since }])
  expect(text).toMatch(/email_confirmed +ok +192\.0\.2\.7/)
  expect(changes).toBe(true)
})

test('in the first 24 hours after a deletion nothing is handed back', async () => {
  expect(await preview(23)).toMatchObject({ changes: false })
})
