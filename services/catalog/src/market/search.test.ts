import { accountChanged } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestCatalog } from '../testing.ts'

const { db, market, runJob, consume, givenAccount, givenItem } = await startTestCatalog()
const studio = await givenAccount({ admin: true, username: '@studio.halfmoon', firstName: 'Noor', lastName: 'Haddad' })
const artist = await givenAccount({ admin: true, username: '@mira', firstName: 'Mira', lastName: 'Sørensen' })

const works: [string, string, string][] = [
  ['Grandfather’s Single', 'He sold the farm and kept the motorcycle.', 'Moto'],
  ['Moonrise over Sector Nine', 'Two moons, one ticket.', 'Cyber'],
  ['Mosaic of a Loud Summer', 'Tiles and heat.', 'Art'],
  ['Café Noir, 3 a.m.', 'Nobody pays.', 'Art'],
  ['Night Ride', 'Rain on the visor.', 'Moto'],
]
for (const [name, description, category] of works) await givenItem(artist.userId, { name, description, category })
await givenItem(studio.userId, { name: 'Tide Table', description: 'Blue hours', category: 'Art' })

const find = (search: string) => market(`?search=${encodeURIComponent(search)}`) as Promise<any>
const names = async (search: string) => (await find(search)).nfts.map(({ name }: { name: string }) => name)

test.each([
  ["Grandfather's Single", 'Grandfather’s Single'],
  ['grandfathers single', 'Grandfather’s Single'],
  ['moonrise sector', 'Moonrise over Sector Nine'],
  ['mosaic loud', 'Mosaic of a Loud Summer'],
  ['loud mosaic', 'Mosaic of a Loud Summer'],
  ['studio halfmoon', 'Tide Table'],
  ['studio.halfmoon', 'Tide Table'],
  ['studiohalfmoon', 'Tide Table'],
  ['haddad tide', 'Tide Table'],
  ['Cafe', 'Café Noir, 3 a.m.'],
  ['CAFÉ noir', 'Café Noir, 3 a.m.'],
  ['cafe\u0301', 'Café Noir, 3 a.m.'],
  ['sorensen mosaic', 'Mosaic of a Loud Summer'],
  ['motorbike', 'Night Ride'],
])('a search for %j finds "%s"', async (search, name) => {
  const found = await find(search)
  expect(found.nfts.map((nft: { name: string }) => nft.name)).toContain(name)
  expect(found.similar).toBeUndefined()
})

test.each([
  ['Mosiac', 'Mosaic of a Loud Summer'],
  ['mozaic', 'Mosaic of a Loud Summer'],
  ['mosac', 'Mosaic of a Loud Summer'],
  ['mosaaic loud', 'Mosaic of a Loud Summer'],
  ['halfmon', 'Tide Table'],
  ['motorbikes', 'Night Ride'],
])('a search for %j forgives the typing error, and says so', async (search, name) => {
  expect(await names(search)).toContain(name)
  expect(await find(search)).toMatchObject({ similar: true })
})

test('a search has the words of a colour and of a shape, beside others', async () => {
  const painter = await givenAccount({ admin: true, username: '@painter' })
  const draw = (name: string, color: string, [width, height]: [number, number]) =>
    givenItem(painter.userId, { name, picture: { path: '/uploads/nfts/x', color, width, height } })
  await draw('Harbour at Noon', '#2b5fd9', [1600, 900])
  await draw('Harbour at Dusk', '#2b5fd9', [900, 1600])
  await draw('Harbour in Fog', '#85858c', [1600, 900])
  expect(await names('blue landscape harbour')).toEqual(['Harbour at Noon'])
  expect(await names('blue harbour')).toEqual(['Harbour at Dusk', 'Harbour at Noon'])
  expect(await names('Harbour GREY')).toEqual(['Harbour in Fog'])
  expect(await names('gray harbour')).toEqual(['Harbour in Fog'])
  expect(await names('purple harbour')).toEqual([])
})

test('texts of an earlier version get the words of their pictures and the names of their artists, once', async () => {
  const early = await givenAccount({ admin: true, username: '@early', firstName: 'Eartha', lastName: 'Lyons' })
  const picture = { path: '/uploads/nfts/x', color: '#2b5fd9', width: 1600, height: 900 }
  await givenItem(early.userId, { name: 'Quarrystone', picture })
  const before = sql`
    update item_text set pictured = false, text = left(text, -length(chr(31) || 'blue landscape')) where name = 'quarrystone'`
  await before.execute(db)
  await sql`delete from artist_text where user_id = ${early.userId}`.execute(db)
  expect(await names('quarrystone blue')).toEqual([])
  await Promise.all([runJob('earlier items'), runJob('earlier items'), runJob('artist texts')])
  expect(await names('quarrystone blue landscape')).toEqual(['Quarrystone'])
  expect((await market('?creator=eartha')).nfts).toHaveLength(1)
  const { rows } = await sql<{ text: string }>`select text from item_text where name = 'quarrystone'`.execute(db)
  expect(rows[0]!.text.match(/blue/g)).toHaveLength(1)
})

test('all words must match, and short words are not guessed', async () => {
  for (const search of ['mosaic tide', 'mosaic zzzz', 'nht', '---'])
    expect(await find(search)).toEqual({ nfts: [], total: 0, page: 1, limit: 200 })
})

test('the same name comes first, then words in the name, then the artist, then the text; newest first in each', async () => {
  const other = await givenAccount({ admin: true, username: '@ember' })
  await givenItem(artist.userId, { name: 'Ember', description: 'Glow' })
  await givenItem(artist.userId, { name: 'The Last Ember', description: 'Glow' })
  await givenItem(other.userId, { name: 'Ash', description: 'Glow' })
  await givenItem(artist.userId, { name: 'Coal', description: 'an ember' })
  await givenItem(artist.userId, { name: 'An Ember in June', description: 'Glow' })
  expect(await names('ember')).toEqual(['Ember', 'An Ember in June', 'The Last Ember', 'Ash', 'Coal'])
})

test('a renamed artist is found by the new name only', async () => {
  const renamed = await givenAccount({
    admin: true,
    username: '@quillfeather',
    firstName: 'Quill',
    lastName: 'Feather',
  })
  await givenItem(renamed.userId, { name: 'Plume' })
  expect(await names('quilfeather')).toEqual(['Plume'])
  await consume(
    messageOf(accountChanged, { ...renamed, version: 2, username: '@stonehand', firstName: 'Stone', lastName: 'Hand' }),
  )
  await expect.poll(() => names('stonehand')).toEqual(['Plume'])
  expect(await names('quilfeather')).toEqual([])
  const { rows } = await sql`select from search_word where word like 'quill%' or word = 'feather'`.execute(db)
  expect(rows).toEqual([])
})

test('a change of price leaves the search index alone', async () => {
  const item = await givenItem(artist.userId, { name: 'Kept Text' })
  const version = async () =>
    (await sql<{ xmin: string }>`select xmin::text from item_text where item_id = ${item.itemId}`.execute(db)).rows
  const before = await version()
  await db.updateTable('item').set({ priceCents: 999, shownAt: new Date() }).where('id', '=', item.itemId).execute()
  expect(await version()).toEqual(before)
})

test('items stored by an earlier version become searchable by a job', async () => {
  const item = await givenItem(artist.userId, { name: 'Heirloom' })
  await db.deleteFrom('itemText').where('itemId', '=', item.itemId).execute()
  await runJob('earlier items')
  const { rows } = await sql<{ name: string }>`
    select name from item_text where item_id = ${item.itemId}`.execute(db)
  expect(rows).toEqual([{ name: 'heirloom' }])
})
