import { findItemOwners, listItemOwners } from '@nifty/api/catalog/internal'
import { expect, test } from 'vitest'
import { startTestCatalog, wallet } from '../testing.ts'

const { post, getInternal, db, givenAccount, givenItem } = await startTestCatalog()
const seller = await givenAccount({ admin: true, wallet: wallet() })

test('the owners of all items are listed in pages by token, and those of some tokens', async () => {
  const item = await givenItem(seller.userId)
  const { id: _, ...row } = await db.selectFrom('item').selectAll().executeTakeFirstOrThrow()
  const copies = Array.from({ length: 600 }, (_, index) => ({
    ...row,
    id: crypto.randomUUID(),
    token: `0xcopy/${index}`,
    ownerId: null,
    forSale: false,
  }))
  await db
    .insertInto('item')
    .values(copies as never)
    .execute()

  const first = await getInternal(listItemOwners.path)
  const second = await getInternal(`${listItemOwners.path}?after=${encodeURIComponent(first.next)}`)
  expect([first.items.length, second.items.length, second.next]).toEqual([500, 101, null])
  const all = [...first.items, ...second.items]
  expect(new Set(all.map(({ token }: { token: string }) => token)).size).toBe(601)

  const { body } = await post(findItemOwners.path, { tokens: [item.token, '0xcopy/1', '0xnone/1'] })
  expect(body.items).toHaveLength(2)
  expect(body.items).toContainEqual({ token: item.token, ownerId: seller.userId })
})
