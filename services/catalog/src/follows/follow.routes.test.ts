import { randomUUID } from 'node:crypto'
import { MAX_FOLLOWS } from '@nifty/api/catalog/follows'
import { accountChanged, accountDeleted } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, startTestCatalog } from '../testing.ts'

const { app, db, peers, consume, givenAccount, givenItem } = await startTestCatalog()

async function send(userId: string, method: 'GET' | 'PUT' | 'DELETE', path: string) {
  const response = await app.inject({ method, url: path, headers: peers.steppedUp(userId) })
  return { status: response.statusCode, body: response.json() }
}
const urlOf = (userId: string) => `/api/follows/${userId}`
const artistsOf = async (userId: string) => (await send(userId, 'GET', '/api/follows')).body.artists
const erase = ({ userId, username, email, firstName }: Awaited<ReturnType<typeof givenAccount>>) =>
  consume(messageOf(accountDeleted, { userId, username, email, firstName, at }))

test('an account follows artists, the latest first, and a second click changes nothing', async () => {
  const [ada, artist, other] = [await givenAccount(), await givenAccount({ admin: true }), await givenAccount()]
  await givenItem(artist.userId)

  for (const { userId } of [artist, other, artist])
    expect((await send(ada.userId, 'PUT', urlOf(userId))).status).toBe(200)

  const { username, firstName, lastName } = artist
  expect(await artistsOf(ada.userId)).toMatchObject([
    { _id: other.userId, works: 0 },
    { _id: artist.userId, username, firstName, lastName, avatar: null, works: 1 },
  ])
  expect((await send(ada.userId, 'DELETE', urlOf(other.userId))).status).toBe(200)
  expect(await artistsOf(ada.userId)).toHaveLength(1)
})

test('oneself is a 409; an unknown, deleted or suspended account, and a follow of another account, are 404', async () => {
  const [ada, eve, artist, deleted, suspended] = [
    await givenAccount(),
    await givenAccount(),
    await givenAccount(),
    await givenAccount(),
    await givenAccount({ suspended: true }),
  ]
  await erase(deleted)
  await send(ada.userId, 'PUT', urlOf(artist.userId))

  expect(await send(ada.userId, 'PUT', urlOf(ada.userId))).toMatchObject({ status: 409, body: { code: 'own_profile' } })
  for (const id of [randomUUID(), deleted.userId, suspended.userId])
    expect((await send(ada.userId, 'PUT', urlOf(id))).body).toMatchObject({ code: 'artist_not_found' })
  expect((await send(eve.userId, 'DELETE', urlOf(artist.userId))).body).toMatchObject({ code: 'follow_not_found' })
  expect(await artistsOf(ada.userId)).toHaveLength(1)
  expect((await send(ada.userId, 'PUT', urlOf('x'))).status).toBe(400)
})

test('a suspended artist is not listed until the account is reinstated', async () => {
  const [ada, artist] = [await givenAccount(), await givenAccount()]
  await send(ada.userId, 'PUT', urlOf(artist.userId))
  await consume(messageOf(accountChanged, { ...artist, version: 2, suspended: true }))
  expect(await artistsOf(ada.userId)).toEqual([])
  await consume(messageOf(accountChanged, { ...artist, version: 3 }))
  expect(await artistsOf(ada.userId)).toHaveLength(1)
})

test('beyond 2,000 artists the next one is a 429, also when two are followed at once', async () => {
  const [ada, ...artists] = [await givenAccount(), await givenAccount(), await givenAccount()]
  const values = Array.from({ length: MAX_FOLLOWS - 1 }, () => ({ userId: ada.userId, artistId: randomUUID() }))
  await db.insertInto('follow').values(values).execute()

  const statuses = await Promise.all(
    artists.map(async ({ userId }) => (await send(ada.userId, 'PUT', urlOf(userId))).status),
  )

  expect(statuses.sort()).toEqual([200, 429])
})

test('a deleted account follows nobody and has no followers, and the export has the follows', async () => {
  const [ada, artist] = [await givenAccount(), await givenAccount()]
  await send(ada.userId, 'PUT', urlOf(artist.userId))
  await send(artist.userId, 'PUT', urlOf(ada.userId))
  expect((await send(ada.userId, 'GET', '/api/creators/export')).body.records).toEqual([
    { kind: 'follow', data: { artistId: artist.userId, createdAt: expect.any(String) } },
  ])

  await erase(ada)

  const left = await db
    .selectFrom('follow')
    .selectAll()
    .where((eb) => eb.or([eb('userId', '=', ada.userId), eb('artistId', '=', ada.userId)]))
    .execute()
  expect(left).toEqual([])
  expect((await send(ada.userId, 'PUT', urlOf(artist.userId))).status).toBe(401)
})
