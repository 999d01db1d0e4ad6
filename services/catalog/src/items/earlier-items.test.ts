import { accountChanged } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { startTestCatalog } from '../testing.ts'

const { db, start, market, runJob, consume, givenAccount, givenItem } = await startTestCatalog()

const found = async (query: string) => (await market(`?${query}`)).nfts.map(({ name }) => name)

test('a service starts, and the others go on, while works of an earlier version are locked', async () => {
  const ada = await givenAccount({ admin: true })
  const [locked, free] = [
    await givenItem(ada.userId, { name: 'Locked' }),
    await givenItem(ada.userId, { name: 'Free' }),
  ]
  await db.updateTable('item').set({ colorName: null }).execute()
  await db.updateTable('itemText').set({ pictured: false }).execute()
  const colors = async () =>
    Object.fromEntries(
      (await db.selectFrom('item').select(['id', 'colorName']).execute()).map(({ id, colorName }) => [id, colorName]),
    )

  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('item').where('id', '=', locked.itemId).forUpdate().execute()
    await trx.selectFrom('itemText').where('itemId', '=', locked.itemId).forUpdate().execute()
    const replica = await start()
    await runJob('earlier items')
    await expect.poll(colors).toEqual({ [locked.itemId]: null, [free.itemId]: expect.any(String) })
    await replica.stop()
  })
  await runJob('earlier items')
  expect(await colors()).toEqual({ [locked.itemId]: expect.any(String), [free.itemId]: expect.any(String) })
})

test('an artist whom a former version renamed is found by the present name only', async () => {
  const quill = await givenAccount({ admin: true, username: '@quill', firstName: 'Quill' })
  const heron = await givenAccount({ admin: true, username: '@heron', firstName: 'Heron' })
  await givenItem(quill.userId, { name: 'Plume' })
  await givenItem(heron.userId, { name: 'Marsh' })
  // The former version updates the texts of works, and not those of artists.
  const texts = await db.selectFrom('artistText').selectAll().execute()
  for (const artist of [quill, heron])
    await consume(messageOf(accountChanged, { ...artist, version: 2, username: '@stone', firstName: 'Stone' }))
  for (const { userId, text } of texts)
    await db.updateTable('artistText').set({ text }).where('userId', '=', userId).execute()
  expect(await found('creator=quill')).toEqual(['Plume'])

  // The account of one of them is locked, which is not waited for.
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('account').where('userId', '=', heron.userId).forUpdate().execute()
    await runJob('artist texts')
    expect(await found('creator=quill')).toEqual([])
    expect(await found('creator=heron')).toEqual(['Marsh'])
  })
  await Promise.all([runJob('artist texts'), runJob('artist texts')])
  expect(await found('creator=heron')).toEqual([])
})
