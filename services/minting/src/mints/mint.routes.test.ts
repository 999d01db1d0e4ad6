import { createHash, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { keyOf } from '@nifty/contracts/keys'
import { tokenMinted } from '@nifty/events/minting'
import type { EventLog } from 'ethers'
import { expect, test } from 'vitest'
import { givenAcceptedMint, givenAccount } from '../testing/fixtures.ts'
import { pngOf } from '../testing/image-files.ts'
import { postMint } from '../testing/mint-form.ts'
import { startTestMinting } from '../testing/minting.ts'

const minting = await startTestMinting({ mintsPerHour: 12 })
const { chain, bearer, db, until, published } = minting
const creator = () => givenAccount(minting, { admin: true })
const get = (path: string, userId: string) => minting.app.inject({ url: path, headers: bearer(userId) })

test('a mint is accepted with 202 and minted by the worker', async () => {
  const { userId } = await creator()
  const answer = await postMint(minting, userId, { fields: { price: '12.50' } })
  expect(answer.statusCode).toBe(202)
  const mint = answer.json()
  expect(mint).toMatchObject({
    state: 'accepted',
    name: 'Dusk',
    category: 'Art',
    price: 12.5,
    contract: chain.collection,
  })
  expect(mint.color).toMatch(/^#[bcd][0-9a-f][234][0-9a-f][456][0-9a-f]$/)

  await until(async () => (await get(`/api/mints/${mint._id}`, userId)).json().state === 'minted')
  const minted = (await get(`/api/mints/${mint._id}`, userId)).json()
  expect(minted.identifier).toMatch(/^\d+$/)
  const event = await until(() => published(tokenMinted).find(({ itemId }) => itemId === mint._id))
  expect(event).toMatchObject({
    creatorId: userId,
    priceCents: 1250,
    identifier: minted.identifier,
    txHash: minted.txHash,
    royaltyBps: 500,
    picture: { path: mint.image, width: 900, height: 600, color: mint.color },
  })
  expect((await get('/api/mints', userId)).json().mints).toEqual([minted])
})

test('the token’s metadata has the URL and the hash of the image', async () => {
  const { userId } = await creator()
  const mint = (await postMint(minting, userId)).json()
  await until(async () => (await get(`/api/mints/${mint._id}`, userId)).json().state === 'minted')
  const { identifier } = (await get(`/api/mints/${mint._id}`, userId)).json()

  const uri: string = await chain.collectionOf.tokenURI!(identifier)
  const path = uri.slice('http://nifty.test'.length)
  expect(path).toBe(`/api/tokens/${chain.collection}/${identifier}`)
  const metadata = (await minting.app.inject(path)).json()
  expect(metadata).toMatchObject({
    name: 'Dusk',
    description: 'Evening light',
    external_url: `http://nifty.test/item-detail/unknown/${chain.collection}/${identifier}`,
    image: `http://nifty.test${mint.image}`,
    attributes: [
      { trait_type: 'Category', value: 'Art' },
      { trait_type: 'Artist', value: '@ada' },
    ],
  })
  const { rawPayload } = await minting.app.inject(mint.image)
  expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(metadata.image_sha256)
})

test('the chain’s log of a mint has the name and the hash of the master, which the metadata repeats', async () => {
  const { userId } = await creator()
  const mint = (await postMint(minting, userId, { fields: { name: 'Größe 木 🎨' } })).json()
  await until(async () => (await get(`/api/mints/${mint._id}`, userId)).json().state === 'minted')
  const { identifier } = (await get(`/api/mints/${mint._id}`, userId)).json()

  const [log] = await chain.collectionOf.queryFilter(chain.collectionOf.filters.Minted!(keyOf(mint._id)))
  const { imageSha256, name } = (log as EventLog).args
  expect(name).toBe('Größe 木 🎨')
  const { rawPayload } = await minting.app.inject(mint.image)
  expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(imageSha256.slice(2))
  const metadata = (await minting.app.inject(`/api/tokens/${chain.collection}/${identifier}`)).json()
  expect(`0x${metadata.image_sha256}`).toBe(imageSha256)
})

test('the collection has metadata at its contractURI', async () => {
  const path = String(await chain.collectionOf.contractURI!()).slice('http://nifty.test'.length)
  const response = await minting.app.inject(path)
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({
    name: chain.name,
    symbol: 'LUMEN',
    description: expect.stringMatching(/^Nifty: We are a leading store/),
    image: 'http://nifty.test/icon-512.png',
    external_link: 'http://nifty.test',
  })
  expect((await minting.app.inject(`/api/tokens/${chain.delivery}`)).statusCode).toBe(404)
})

test('metadata of a token that does not exist is a 404', async () => {
  for (const path of [
    '0/1',
    `${chain.collection}/99`,
    `${chain.collection}/-1`,
    `${chain.collection}/1e3`,
    `${chain.delivery}/1`,
  ])
    expect((await minting.app.inject(`/api/tokens/${path}`)).statusCode).toBe(404)
})

test('a repeated request with the same Idempotency-Key is one mint; another work under the key is a 409', async () => {
  const { userId } = await creator()
  const headers = { 'idempotency-key': randomUUID() }
  const [one, two] = await Promise.all([postMint(minting, userId, { headers }), postMint(minting, userId, { headers })])
  expect([one.statusCode, two.statusCode]).toEqual([202, 202])
  expect(two.json()._id).toBe(one.json()._id)
  expect((await get('/api/mints', userId)).json().mints).toHaveLength(1)
  const other = await postMint(minting, userId, { headers, fields: { name: 'Dawn' } })
  expect(other.statusCode).toBe(409)
  expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' })
  expect((await postMint(minting, userId, { headers: { 'idempotency-key': 'x'.repeat(201) } })).statusCode).toBe(400)
})

test('mints at once stay within the limit of an hour, and leave no image behind', async () => {
  const { userId } = await creator()
  for (let count = 0; count < 10; count++) await givenAcceptedMint(minting, { creatorId: userId })
  const images = async () => (await readdir(join(minting.uploadsDir, 'nfts', 'master')).catch(() => [])).length
  const before = await images()
  const answers = await Promise.all(Array.from({ length: 5 }, () => postMint(minting, userId)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 429, 429, 429])
  expect(await db.selectFrom('mint').select('id').where('creatorId', '=', userId).execute()).toHaveLength(12)
  expect(await images()).toBe(before + 2)
})

test('only creators mint: no anonymous, unknown, collector or suspended account', async () => {
  expect((await postMint(minting, null)).statusCode).toBe(401)
  const unknown = await postMint(minting, randomUUID())
  expect(unknown.statusCode).toBe(403)
  const collector = await givenAccount(minting, { admin: false })
  const refused = await postMint(minting, collector.userId, { fields: { admin: 'true' } })
  expect(refused.statusCode).toBe(403)
  expect(refused.json().message).toBe('To gain access to selling your NFTs, please contact us.')
  const { userId } = await creator()
  await givenAccount(minting, { userId, version: 2, admin: false })
  expect((await postMint(minting, userId)).statusCode).toBe(403)
})

test('a mint is visible to its creator only', async () => {
  const { userId } = await creator()
  const { _id } = (await postMint(minting, userId)).json()
  const other = await creator()
  expect((await get(`/api/mints/${_id}`, other.userId)).statusCode).toBe(404)
  expect((await get('/api/mints', other.userId)).json()).toEqual({ mints: [] })
  expect((await minting.app.inject(`/api/mints/${_id}`)).statusCode).toBe(401)
  expect((await get('/api/mints/nope', userId)).statusCode).toBe(400)
})

test('a work is minted into the creator’s linked wallet on request', async () => {
  const unlinked = await creator()
  const refused = await postMint(minting, unlinked.userId, { fields: { holder: 'wallet' } })
  expect(refused.json()).toMatchObject({ code: 'wallet_required' })
  const wallet = await chain.newWallet()
  const { userId } = await givenAccount(minting, { admin: true, wallet: wallet.address })
  const { _id } = (await postMint(minting, userId, { fields: { holder: 'wallet' } })).json()
  await until(async () => (await get(`/api/mints/${_id}`, userId)).json().state === 'minted')
  expect(await chain.ownerOf((await get(`/api/mints/${_id}`, userId)).json().identifier)).toBe(wallet.address)
})

test('a mint to a recipient that rejects tokens fails alone in its batch', async () => {
  await minting.stop()
  const bad = await givenAcceptedMint(minting, { wallet: chain.collection })
  const good = await givenAcceptedMint(minting)
  await minting.start()
  const mints = db.selectFrom('mint').selectAll().where('id', 'in', [bad.id, good.id])
  await until(async () => (await mints.execute()).every(({ state }) => state === 'failed' || state === 'minted'))

  const failed = (await get(`/api/mints/${bad.id}`, bad.creatorId)).json()
  const minted = (await get(`/api/mints/${good.id}`, good.creatorId)).json()
  expect([failed.state, minted.state]).toEqual(['failed', 'minted'])
  expect(failed.txHash).toBe(minted.txHash)
})

test.each([
  ['no name', { name: '' }, 'name'],
  ['a name of 81 letters', { name: 'x'.repeat(81) }, 'name'],
  ['a name with a direction-changing character', { name: 'a\u202eb' }, 'name'],
  ['a name with a zero-width space', { name: 'a\u200bb' }, 'name'],
  ['a name with a NUL', { name: 'a\u0000b' }, 'name'],
  ['a description of 2001 letters', { description: 'x'.repeat(2001) }, 'description'],
  ['a category of its own', { category: 'Cats' }, 'category'],
  ['a price of 0.49', { price: '0.49' }, 'price'],
  ['a price of 1e3', { price: '1e3' }, 'price'],
  ['a price below zero', { price: '-5' }, 'price'],
  ['a price with three decimals', { price: '12.345' }, 'price'],
  ['a price of a million', { price: '1000000' }, 'price'],
  ['a holder of its own', { holder: 'moon' }, 'holder'],
])('%s is a 400 with the field’s name', async (_what, fields, path) => {
  const { userId } = await creator()
  const answer = await postMint(minting, userId, { fields })
  expect(answer.statusCode).toBe(400)
  expect(answer.json().errors).toMatchObject([{ path }])
  expect((await get('/api/mints', userId)).json().mints).toEqual([])
})

test('a line break is one character, whichever form of it was sent', async () => {
  const { userId } = await creator()
  const headers = { 'idempotency-key': randomUUID() }
  const typed = `${'x'.repeat(1_990)}${'\n'.repeat(9)}y`
  const texts = [typed.replaceAll('\n', '\r\n'), typed, typed.replaceAll('\n', '\r')]

  const answers = []
  for (const description of texts) answers.push(await postMint(minting, userId, { headers, fields: { description } }))

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202])
  expect(new Set(answers.map((answer) => answer.json()._id)).size).toBe(1)
  const mint = db.selectFrom('mint').select('description').where('id', '=', answers[0]!.json()._id)
  expect(await mint.executeTakeFirst()).toEqual({ description: typed })
})

test('markup in a name is stored as text', async () => {
  const { userId } = await creator()
  const name = '<img src=x onerror=alert(1)>'
  expect((await postMint(minting, userId, { fields: { name } })).json().name).toBe(name)
})

test('mints above the hourly limit are a 429 with Retry-After', async () => {
  const { userId } = await creator()
  const files = [{ bytes: await pngOf(8, 8) }]
  for (let work = 0; work < 12; work++) expect((await postMint(minting, userId, { files })).statusCode).toBe(202)
  const answer = await postMint(minting, userId, { files })
  expect(answer.statusCode).toBe(429)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
})
