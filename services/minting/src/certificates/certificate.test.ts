import { OWN_DATA_PAGE, type OwnData } from '@nifty/api/own-data'
import { accountDeleted } from '@nifty/events/auth'
import { randomToken, seal, sealStored, sha256 } from '@nifty/service-kit/base/secrets'
import { countFormer, resealStored } from '@nifty/service-kit/database/stored-secrets'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { authorise, custody, givenAccount, givenWork, untilState, type Work } from '../testing/fixtures.ts'
import { startTestMinting } from '../testing/minting.ts'
import { linkSecrets } from './certificate.ts'

const minting = await startTestMinting()
const { chain, db, bearer, steppedUp, until } = minting

async function call(method: 'GET' | 'POST' | 'DELETE', url: string, headers: object = {}, payload?: object) {
  const response = await minting.app.inject({ method, url, headers: { ...headers }, payload })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

const pathOf = ({ identifier }: Pick<Work, 'identifier'>, contract = chain.collection) =>
  `/api/certificates/${contract}/${identifier}`
const read = (userId: string, work: Pick<Work, 'identifier'>) => call('GET', pathOf(work), bearer(userId))
const make = (userId: string, work: Pick<Work, 'identifier'>) => call('POST', `${pathOf(work)}/link`, bearer(userId))
const switchOff = (userId: string, work: Pick<Work, 'identifier'>) =>
  call('DELETE', `${pathOf(work)}/link`, bearer(userId))
const list = async (userId: string) => (await call('GET', '/api/certificates', bearer(userId))).body.links
const open = (secret: string) => call('POST', '/api/certificates/open', {}, { secret })

async function givenOwner(username = '@ada') {
  const wallet = await chain.newWallet()
  const account = { admin: true, wallet: wallet.address, walletProven: true, username }
  const { userId } = await givenAccount(minting, account)
  return { userId, wallet, work: await givenWork(minting, { creatorId: userId }) }
}

async function givenLink() {
  const owner = await givenOwner()
  const { body } = await make(owner.userId, owner.work)
  return { ...owner, secret: body.secret as string }
}

/** As if its owner had got the work a day earlier: blocks of the test chain are younger than a second. Returns when. */
async function givenOwnedForADay({ token }: Work): Promise<string> {
  const ofToken = (changes: { ownerId: string | null; movedAt?: Date }) =>
    db.updateTable('token').set(changes).where('token', '=', token).execute()
  const { ownerId, movedAt } = await db
    .selectFrom('token')
    .select(['ownerId', 'movedAt'])
    .where('token', '=', token)
    .executeTakeFirstOrThrow()
  const yesterday = new Date(movedAt!.getTime() - 86_400_000)
  await ofToken({ ownerId: null, movedAt: yesterday })
  await ofToken({ ownerId })
  return yesterday.toISOString()
}

async function sell(work: Work, buyerId: string) {
  const { lineId } = await authorise(minting, work, { ...custody, buyerId })
  await untilState(minting, lineId, 'final')
}

test('an owner makes a link, and its reader sees what is true of the work', async () => {
  const { userId, work } = await givenOwner()
  const before = await read(userId, work)
  expect(before).toMatchObject({
    status: 200,
    body: { name: 'Dusk', artist: '@ada', owner: '@ada', custody: true, chainId: 31_337, link: null },
  })

  const made = await make(userId, work)

  expect(made).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  expect(made.body.secret).toMatch(/^[\w-]{43}$/)
  const opened = await open(made.body.secret)
  expect(opened).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  const moved = await db
    .selectFrom('token')
    .select(['movedAt', 'txHash'])
    .where('token', '=', work.token)
    .executeTakeFirstOrThrow()
  expect(opened.body).toEqual({
    contract: chain.collection,
    identifier: work.identifier,
    chainId: 31_337,
    name: 'Dusk',
    artist: '@ada',
    sha256: 'ab'.repeat(32),
    mintTxHash: moved.txHash,
    madeAt: made.body.madeAt,
    ownership: { owner: '@ada', ownedSince: moved.movedAt!.toISOString(), custody: true },
  })
  // The owner prints the sheet again with the same code.
  expect((await read(userId, work)).body.link).toEqual(made.body)
})

test('the secret of a link is in no table and no event', async () => {
  const { secret } = await givenLink()
  const { rows } = await sql`select * from certificate_link where secret_hash = ${sha256(secret)}`.execute(db)
  expect(rows).toHaveLength(1)
  expect(JSON.stringify([rows, minting.messages])).not.toContain(secret)
})

test('a renewed link and one that is switched off open nothing, and say what happened', async () => {
  const { userId, work, secret } = await givenLink()

  const renewed = (await make(userId, work)).body.secret
  expect(await open(secret)).toMatchObject({ status: 404, body: { code: 'certificate_renewed' } })
  expect((await open(renewed)).status).toBe(200)

  expect((await switchOff(userId, work)).status).toBe(200)
  expect((await switchOff(userId, work)).status).toBe(200)
  expect(await open(renewed)).toMatchObject({ status: 404, body: { code: 'certificate_switched_off' } })
  expect(await open(secret)).toMatchObject({ status: 404, body: { code: 'certificate_renewed' } })
  expect((await read(userId, work)).body.link).toBeNull()
})

test('of two links that are made at once one lives', async () => {
  const { userId, work } = await givenOwner()
  const made = await Promise.all([make(userId, work), make(userId, work)])
  const answers = await Promise.all(made.map(({ body }) => open(body.secret)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
})

test('only the owner has a certificate', async () => {
  const { work } = await givenOwner()
  const stranger = (await givenAccount(minting)).userId
  for (const answer of [await read(stranger, work), await make(stranger, work), await switchOff(stranger, work)])
    expect(answer).toMatchObject({ status: 403, body: { code: 'not_owner' } })
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/link'],
    ['DELETE', '/link'],
  ] as const) {
    expect((await call(method, pathOf(work) + path)).status).toBe(401)
    for (const url of [pathOf({ identifier: '424242' }), pathOf({ identifier: 'x' }), pathOf(work, chain.delivery)])
      expect((await call(method, url + path, bearer(stranger))).status, url).toBe(404)
  }
})

test('once the work is sold the link says so and names neither owner, and the buyer has a certificate', async () => {
  const { userId, work, secret } = await givenLink()
  const since = await givenOwnedForADay(work)
  expect((await open(secret)).body.ownership.ownedSince).toBe(since)
  const { userId: buyerId } = await givenAccount(minting, { username: '@ben' })

  await sell(work, buyerId)

  const opened = await open(secret)
  expect(opened).toMatchObject({ status: 200, body: { identifier: work.identifier, ownership: null } })
  expect(JSON.stringify(opened.body)).not.toContain('@ben')
  expect(await read(userId, work)).toMatchObject({ status: 403, body: { code: 'not_owner' } })
  expect(await make(userId, work)).toMatchObject({ status: 403, body: { code: 'not_owner' } })

  expect((await read(buyerId, work)).body.link).toBeNull()
  const buyers = (await make(buyerId, work)).body.secret
  const { ownership } = (await open(buyers)).body
  expect(ownership).toMatchObject({ owner: '@ben', custody: true })
  expect(Date.parse(ownership.ownedSince)).toBeGreaterThan(Date.parse(since))
  expect((await open(secret)).body.ownership).toBeNull()

  expect((await switchOff(userId, work)).status).toBe(200)
  expect(await open(secret)).toMatchObject({ status: 404, body: { code: 'certificate_switched_off' } })
  expect((await open(buyers)).status).toBe(200)
})

test('a work that its owner withdraws into a wallet is the owner’s since the same moment, until it leaves', async () => {
  const { userId, wallet, work, secret } = await givenLink()
  const ownedSince = await givenOwnedForADay(work)

  const payload = { contract: chain.collection, identifier: work.identifier }
  expect((await call('POST', '/api/withdrawals', steppedUp(userId), payload)).status).toBe(202)
  await until(async () => !(await open(secret)).body.ownership?.custody)

  expect((await open(secret)).body.ownership).toEqual({ owner: '@ada', ownedSince, custody: false })

  const friend = await chain.newWallet()
  const collection = chain.collectionOf.connect(wallet) as typeof chain.collectionOf
  await (await collection.transferFrom!(wallet.address, friend.address, work.identifier)).wait()
  await until(async () => (await open(secret)).body.ownership === null)
  expect(await make(userId, work)).toMatchObject({ status: 403, body: { code: 'not_owner' } })
})

test('an account lists its links that still open a certificate, also that of a work that it sold, and no secrets', async () => {
  const { userId, work, secret } = await givenLink()
  const second = await givenWork(minting, { creatorId: userId })
  const third = await givenWork(minting, { creatorId: userId })
  await make(userId, second)
  const { body: renewed } = await make(userId, second)
  await make(userId, third)
  await switchOff(userId, third)
  const { userId: buyerId } = await givenAccount(minting)
  expect(await list(buyerId)).toEqual([])

  await sell(work, buyerId)

  const links = await list(userId)
  expect(links).toEqual([
    { contract: chain.collection, identifier: second.identifier, name: 'Dusk', madeAt: renewed.madeAt, owned: true },
    expect.objectContaining({ identifier: work.identifier, owned: false }),
  ])
  expect(JSON.stringify(links)).not.toContain(secret)
  expect(await list(buyerId)).toEqual([])
  expect((await call('GET', '/api/certificates')).status).toBe(401)
})

test('an account that is deleted takes its links along', async () => {
  const { userId, work, secret } = await givenLink()
  const person = { userId, username: '@ada', email: 'ada@nifty.test', firstName: 'Ada' }
  await minting.consume(accountDeleted, { ...person, at: new Date().toISOString() })
  expect(await open(secret)).toMatchObject({ status: 404, body: { code: 'certificate_not_found' } })
  expect((await make(userId, work)).status).toBe(401)
  expect(await db.selectFrom('certificateLink').selectAll().where('ownerId', '=', userId).execute()).toEqual([])
})

test.each([[''], ['nonsense'], ['x'.repeat(101)], ['\u0000'], ['é'.repeat(50)]])(
  'the link %j is none',
  async (secret) => {
    expect([400, 404]).toContain((await open(secret)).status)
    expect(await open('nonsense')).toMatchObject({ status: 404, body: { code: 'certificate_not_found' } })
  },
)

test('an account makes 200 links a day', async () => {
  const { userId, work, secret } = await givenLink()
  await sql`
    insert into certificate_link (secret_hash, token, owner_id, ended)
    select gen_random_uuid()::text, ${work.token}, ${userId}, 'renewed' from generate_series(1, 199)`.execute(db)
  const refused = await make(userId, work)
  expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_certificate_links' } })
  expect(refused.headers['retry-after']).toBe('86400')
  expect((await open(secret)).status).toBe(200)
  await sql`
    update certificate_link set made_at = made_at - interval '25 hours' where owner_id = ${userId}`.execute(db)
  expect((await make(userId, work)).status).toBe(200)
})

test('a link whose key was changed works, and is shown no more', async () => {
  const { userId, work, secret } = await givenLink()
  await db
    .updateTable('certificateLink')
    .set({ sealedSecret: sealStored(secret, [randomToken()], sha256(secret)) })
    .where('ownerId', '=', userId)
    .execute()
  expect((await read(userId, work)).body.link).toMatchObject({ secret: null })
  expect((await open(secret)).status).toBe(200)
})

async function formerTexts() {
  const text = await (await fetch(`${minting.internalUrl}/metrics`)).text()
  return Number(/^nifty_former_key_texts(?:\{.*\})? (\d+)$/m.exec(text)![1])
}

test('secrets of a former key and of a release without owners are encrypted again, and refused in another row', async () => {
  const [former, unbound] = [await givenLink(), await givenLink()]
  const formerKey = randomToken()
  const set = async (secret: string, sealedSecret: string) =>
    db.updateTable('certificateLink').set({ sealedSecret }).where('secretHash', '=', sha256(secret)).execute()
  await set(former.secret, sealStored(former.secret, [formerKey], sha256(former.secret)))
  await set(unbound.secret, seal(unbound.secret, minting.mailTokenKeys))
  const shown = async ({ userId, work }: typeof former) => (await read(userId, work)).body.link.secret
  expect(await shown(former)).toBeNull()
  expect(await shown(unbound)).toBe(unbound.secret)

  const keys = [minting.mailTokenKeys[0], formerKey] as const
  const count = () => countFormer(db, linkSecrets, keys)
  const before = await count()
  expect(before).toBeGreaterThan(1)
  expect(await formerTexts()).toBe(before)
  await resealStored(db, linkSecrets, keys)
  expect(await count()).toBe(before - 2)
  expect([await shown(former), await shown(unbound)]).toEqual([former.secret, unbound.secret])

  const { sealedSecret } = await db
    .selectFrom('certificateLink')
    .select('sealedSecret')
    .where('secretHash', '=', sha256(former.secret))
    .executeTakeFirstOrThrow()
  await set(unbound.secret, sealedSecret!)
  expect(await shown(unbound)).toBeNull()
})

test('an account exports its links without their secrets, and those of no other', async () => {
  const { userId, work, secret } = await givenLink()
  const exported = async (id: string) =>
    (await call('GET', '/api/mints/export', steppedUp(id))).body.records.filter(
      ({ kind }: { kind: string }) => kind === 'certificate_link',
    )
  const records = await exported(userId)
  expect(records).toMatchObject([{ data: { token: work.token, ended: null } }])
  expect(JSON.stringify(records)).not.toContain(secret)
  expect(JSON.stringify(records)).not.toContain(sha256(secret))
  const { userId: other } = await givenAccount(minting)
  expect(await exported(other)).toEqual([])
})

test('the pages of an export have all links, and their addresses no hash of one', async () => {
  const { userId, work } = await givenLink()
  await sql`
    insert into certificate_link (secret_hash, token, owner_id, ended)
    select encode(sha256(n::text::bytea), 'hex'), ${work.token}, ${userId}, 'renewed'
    from generate_series(1, ${OWN_DATA_PAGE}::int) n`.execute(db)
  const page = async (query: string) =>
    (await call('GET', `/api/mints/export${query}`, steppedUp(userId))).body as OwnData
  const first = await page('')
  const [kind, key] = first.next!.split(':')
  expect(kind).toBe('certificate_link')
  const { rows } = await sql`select from certificate_link where secret_hash = ${key}`.execute(db)
  expect(rows).toEqual([])

  const second = await page(`?after=${first.next}`)
  const links = [...first.records, ...second.records].filter((record) => record.kind === 'certificate_link')
  expect([links.length, second.next]).toEqual([OWN_DATA_PAGE + 1, null])
})
