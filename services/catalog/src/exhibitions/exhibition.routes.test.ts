import { randomUUID } from 'node:crypto'
import { accountDeleted } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { describe, expect, test } from 'vitest'
import { at, startTestCatalog } from '../testing.ts'
import { slugsOf } from './exhibition.ts'

const { app, db, get, post, put, putInternal, getInternal, consume, peers, givenAccount, givenItem } =
  await startTestCatalog()
const [ada, bea] = [
  await givenAccount({ admin: true, username: '@Ada' }),
  await givenAccount({ admin: true, username: '@bea' }),
]
const works = await Promise.all(Array.from({ length: 4 }, () => givenItem(ada.userId)))
const [first, second, third] = works.map(({ itemId }) => itemId) as [string, string, string]

const set = (slug: string, changes: object = {}) =>
  putInternal(`/internal/exhibitions/${slug}`, {
    title: 'Engines',
    description: 'Of iron.\nAnd steam.',
    opensOn: '2026-03-01',
    itemIds: [second, first],
    reason: 'autumn',
    ...changes,
  })
const idsOf = ({ nfts }: { nfts: { _id: string }[] }) => nfts.map(({ _id }) => _id)
const listed = async (query = '') => (await get(`/api/exhibitions${query}`)).exhibitions as any[]
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe('an exhibition', () => {
  test('shows its works in the order of the operator, and is replaced and removed by its address', async () => {
    expect(await set('engines')).toMatchObject({ status: 200 })
    const shown = await get('/api/exhibitions/engines')
    expect(shown).toMatchObject({
      title: 'Engines',
      description: 'Of iron.\nAnd steam.',
      opensOn: '2026-03-01',
      open: true,
    })
    expect(shown.artist).toBeNull()
    expect(idsOf(shown)).toEqual([second, first])

    await set('engines', { title: 'More engines', itemIds: [first, third, second] })
    expect(idsOf(await get('/api/exhibitions/engines'))).toEqual([first, third, second])
    expect(await listed()).toMatchObject([{ slug: 'engines', title: 'More engines', works: 3 }])
    expect((await getInternal('/internal/exhibitions')).exhibitions).toEqual([
      { slug: 'engines', title: 'More engines', opensOn: '2026-03-01', works: 3, artist: null },
    ])

    expect((await post('/internal/exhibitions/engines/remove', { reason: 'over' })).status).toBe(200)
    expect(await get('/api/exhibitions/engines')).toMatchObject({ code: 'exhibition_not_found' })
    expect((await post('/internal/exhibitions/engines/remove', { reason: 'over' })).status).toBe(404)
    const log = await db.selectFrom('auditLog').select(['action']).where('subject', '=', 'engines').execute()
    expect(log.map(({ action }) => action)).toEqual(['set-exhibition', 'set-exhibition', 'remove-exhibition'])
  })

  test('is announced without its works until its day', async () => {
    await set('tomorrow', { opensOn: inDays(1) })
    expect(await get('/api/exhibitions/tomorrow')).toMatchObject({ open: false, nfts: [], opensOn: inDays(1) })
    expect((await listed())[0]).toMatchObject({ slug: 'tomorrow', open: false, works: 2, nfts: [] })
    await set('tomorrow', { opensOn: inDays(0) })
    expect(await get('/api/exhibitions/tomorrow')).toMatchObject({ open: true })
    await post('/internal/exhibitions/tomorrow/remove', { reason: 'over' })
  })

  test('leaves hidden works out, and is not listed without any other', async () => {
    const [work, hidden] = [await givenItem(ada.userId), await givenItem(ada.userId)]
    await set('hiding', { itemIds: [hidden.itemId, work.itemId] })
    await post(`/internal/items/${hidden.itemId}/hide`, { reason: 'report' })
    expect(idsOf(await get('/api/exhibitions/hiding'))).toEqual([work.itemId])
    expect(await listed()).toMatchObject([{ slug: 'hiding', works: 1 }])
    await post(`/internal/items/${work.itemId}/hide`, { reason: 'report' })
    expect(await listed()).toEqual([])
    await post('/internal/exhibitions/hiding/remove', { reason: 'over' })
  })

  test.each<[string, string, object, number, string]>([
    ['an address with spaces', 'autumn%20show', {}, 400, 'invalid_exhibition'],
    ['capitals', 'Autumn', {}, 400, 'invalid_exhibition'],
    ['no title', 'a', { title: ' ' }, 400, 'invalid_exhibition'],
    ['a long title', 'a', { title: 'x'.repeat(121) }, 400, 'invalid_exhibition'],
    ['an invisible title', 'a', { title: '\u202eabc' }, 400, 'invalid_exhibition'],
    ['a long description', 'a', { description: 'x'.repeat(5_001) }, 400, 'invalid_exhibition'],
    ['no day', 'a', { opensOn: '2026-02-30' }, 400, 'invalid_exhibition'],
    ['a work twice', 'a', { itemIds: [first, first] }, 400, 'duplicate_item'],
    ['an unknown work', 'a', { itemIds: [randomUUID()] }, 404, 'item_not_found'],
    ['no works', 'a', { itemIds: [] }, 400, 'invalid_request'],
    ['no reason', 'a', { reason: '' }, 400, 'invalid_request'],
  ])('with %s is refused', async (_name, slug, changes, status, code) => {
    expect(await set(slug, changes)).toMatchObject({ status, body: { code } })
  })
})

test('61 exhibitions are listed in pages, and each is in the sitemap', async () => {
  const slugs = Array.from({ length: 61 }, (_, index) => `show-${index}`)
  for (const slug of slugs) await set(slug, { itemIds: [first] })
  const pages = [await get('/api/exhibitions?limit=40'), await get('/api/exhibitions?limit=40&page=2')]
  expect(pages).toMatchObject([
    { total: 61, page: 1, limit: 40 },
    { total: 61, page: 2, limit: 40 },
  ])
  const found = pages.flatMap(({ exhibitions }) => exhibitions as { slug: string }[]).map(({ slug }) => slug)
  expect(found.toSorted()).toEqual(slugs.toSorted())
  expect((await get('/api/nfts/sitemap/exhibitions')).slugs).toEqual(found)
  await post(`/internal/items/${first}/hide`, { reason: 'report' })
  expect(await get('/api/exhibitions')).toMatchObject({ exhibitions: [], total: 0 })
  expect((await get('/api/nfts/sitemap/exhibitions')).slugs).toEqual([])
  await post(`/internal/items/${first}/show`, { reason: 'looked at' })
  expect((await app.inject('/api/exhibitions?page=0')).statusCode).toBe(400)
  for (const slug of slugs) await post(`/internal/exhibitions/${slug}/remove`, { reason: 'over' })
})

describe('a series', () => {
  const form = { title: 'Étude No. 1', description: '', itemIds: [first, third] }
  const create = (userId: string, changes: object = {}) =>
    app.inject({
      method: 'POST',
      url: '/api/series',
      headers: peers.bearer(userId),
      payload: { ...form, ...changes },
    })
  const own = async (userId: string) =>
    (await app.inject({ url: '/api/series', headers: peers.bearer(userId) })).json().series
  const remove = (userId: string, id: string) =>
    app.inject({ method: 'DELETE', url: `/api/series/${id}`, headers: peers.bearer(userId) })

  test('is made, changed and removed by its artist, and keeps its address', async () => {
    const made = (await create(ada.userId)).json()
    expect(made).toEqual({ success: true, series: expect.anything() })
    const { series } = made
    expect(series).toMatchObject({ slug: 'etude-no-1', itemIds: [first, third] })
    expect(await get('/api/exhibitions/etude-no-1')).toMatchObject({ artist: { username: '@Ada' }, open: true })
    expect(await listed('?artist=ada')).toMatchObject([{ slug: 'etude-no-1', works: 2 }])
    expect(await listed('?series=true')).toHaveLength(1)
    expect(await listed()).toEqual([])

    const change = { title: 'Other', description: 'Words', itemIds: [second] }
    expect((await put(ada.userId, `/api/series/${series._id}`, change)).json().series).toMatchObject({
      slug: 'etude-no-1',
      ...change,
    })
    expect(await own(ada.userId)).toHaveLength(1)
    for (const answer of [
      await put(bea.userId, `/api/series/${series._id}`, change),
      await remove(bea.userId, series._id),
    ])
      expect([answer.statusCode, answer.json().code]).toEqual(
        answer.json().code === 'not_the_creator' ? [403, 'not_the_creator'] : [404, 'exhibition_not_found'],
      )
    expect((await remove(ada.userId, series._id)).statusCode).toBe(200)
    expect((await remove(ada.userId, series._id)).statusCode).toBe(404)
    expect(await own(ada.userId)).toEqual([])
  })

  test('has works of its artist only, and its address is not that of an exhibition', async () => {
    expect((await create(bea.userId)).json()).toMatchObject({ code: 'not_the_creator' })
    await set('etude-no-1')
    const { series } = (await create(ada.userId)).json()
    expect(series.slug).toBe('etude-no-1-2')
    expect(await set('etude-no-1-2')).toMatchObject({ status: 409, body: { code: 'slug_of_series' } })
    await remove(ada.userId, series._id)
    await post('/internal/exhibitions/etude-no-1/remove', { reason: 'over' })
  })

  test('of somebody who may not sell, or without a token, is refused', async () => {
    const { userId } = await givenAccount()
    expect((await create(userId)).statusCode).toBe(403)
    expect((await app.inject({ method: 'POST', url: '/api/series', payload: form })).statusCode).toBe(401)
  })

  test('is one of 50 at most, also when many are made at once', async () => {
    const cleo = await givenAccount({ admin: true })
    const { itemId } = await givenItem(cleo.userId)
    const answers = await Promise.all(Array.from({ length: 52 }, () => create(cleo.userId, { itemIds: [itemId] })))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(50)
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2)
    const slugs = (await own(cleo.userId)).map(({ slug }: { slug: string }) => slug)
    expect(new Set(slugs).size).toBe(50)
  })

  test('is not shown while its artist is suspended, and ends with the account', async () => {
    const dora = await givenAccount({ admin: true })
    const { itemId } = await givenItem(dora.userId)
    const { series } = (await create(dora.userId, { title: 'Dora', itemIds: [itemId] })).json()
    await givenAccount({ ...dora, version: 2, suspended: true })
    expect(await get(`/api/exhibitions/${series.slug}`)).toMatchObject({ code: 'exhibition_not_found' })
    expect((await listed('?series=true')).map(({ slug }) => slug)).not.toContain(series.slug)
    await consume(messageOf(accountDeleted, { ...dora, at }))
    expect(await db.selectFrom('exhibition').select('id').where('slug', '=', series.slug).execute()).toEqual([])
  })
})

test.each([
  ['Étude No. 1', 'etude-no-1'],
  ['  --Steam & Iron!  ', 'steam-iron'],
  ['夢', 'series'],
  ['x'.repeat(80), 'x'.repeat(60)],
])('the address for %j is %s', (title, slug) => {
  const slugs = slugsOf(title)
  expect(slugs.slice(0, 2)).toEqual([slug, `${slug}-2`])
  expect(slugs.at(-1)).toMatch(new RegExp(`^${slug}-[0-9a-f]{12}$`))
})
