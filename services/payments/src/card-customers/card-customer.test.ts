import { forgetCardsOfAccount, getCardsOfAccount } from '@nifty/api/payments/card-customers'
import { accountDeleted } from '@nifty/events/auth'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { jobs } from '../jobs.ts'
import { countBoughtWorks } from '../orders/line.store.ts'
import { findOrder } from '../orders/order.store.ts'
import { runStep } from '../orders/run-step.ts'
import { checkAccount } from '../processor/account.actions.ts'
import { givenLostOrder, rebuildAll } from '../testing/lost-order.ts'
import { bidFor, endedOf, makeBid, makeOffer, offerFor } from '../testing/offer.ts'
import { type Payments, startTestPayments } from '../testing/payments.ts'
import type { TestBuyer } from '../testing/peers.ts'
import { alarms, cancel, cartOf, deliver, lines, start, waitForLines } from '../testing/sale.ts'
import { customerInsteadOf, customerOfPage, findLostCustomer, forgetDueCards } from './card-customer.actions.ts'

const payments = await startTestPayments({ env: { RATE_LIMIT_FACTOR: '100' } })
const { app, db, peers, sandbox, deps, consume, config, internal: ops } = payments
const { hostname, port } = new URL(sandbox.url)
const stripe = new Stripe(config.processor.secretKey, { protocol: 'http', host: hostname, port, maxNetworkRetries: 0 })

const openPage = async (buyer: TestBuyer, item = peers.givenItem(), of: Payments = payments) => {
  const response = await start(of, buyer, cartOf(item))
  if (response.statusCode !== 200) throw new Error(response.body)
  return { ...(response.json() as { url: string; orderId: string }), buyer }
}
const idOf = (url: string) => url.split('/').at(-1)!
const sessionOf = (url: string) => stripe.checkout.sessions.retrieve(idOf(url))
const customerOf = async (url: string) => (await sessionOf(url)).customer as string | null
const rowOf = ({ userId }: TestBuyer, of: Payments = payments) =>
  of.db.selectFrom('cardCustomer').selectAll().where('userId', '=', userId).executeTakeFirst()
const created = async ({ userId }: TestBuyer) => {
  const found: string[] = []
  for await (const { type, data } of stripe.events.list({ limit: 100, type: 'customer.created' }))
    if (type === 'customer.created' && data.object.metadata.account === userId) found.push(data.object.id)
  return found
}
const creationOf = ({ userId }: TestBuyer, of: Payments = payments) =>
  of.db.selectFrom('cardCustomerCreation').selectAll().where('userId', '=', userId).executeTakeFirst()
const setAddress = ({ userId }: TestBuyer, email: string, of: Payments = payments) =>
  Object.assign(of.peers.accounts.get(userId)!, { email })
const isDeleted = async (id: string) => (await stripe.customers.retrieve(id)).deleted === true

const request = (method: 'GET' | 'DELETE') => async (buyer: TestBuyer) =>
  (await app.inject({ method, url: '/api/payments/cards', headers: buyer.headers })).json()
const stateOf = request('GET')
const forget = request('DELETE')
const untilNone = (buyer: TestBuyer) =>
  vi.waitUntil(async () => (await stateOf(buyer)).state === 'none', { timeout: 30_000, interval: 20 })
/** Makes a postponed deletion due, as if its time had come. */
const makeDue = ({ userId }: TestBuyer) =>
  db.updateTable('cardCustomer').set({ dueAt: sql<Date>`now()` }).where('userId', '=', userId).execute()
/** As if a minute had passed. */
const lookUp = ({ userId }: TestBuyer) =>
  db.updateTable('cardCustomerCreation').set({ dueAt: sql<Date>`now()` }).where('userId', '=', userId).execute()
const untilLookedUp = (buyer: TestBuyer) =>
  vi.waitUntil(async () => (await creationOf(buyer)) === undefined, { timeout: 30_000, interval: 20 })
/** The process ends before what it did is committed. */
const killedInPage = async ({ userId }: TestBuyer, email: string) => {
  const page = db.transaction().execute(async (trx) => {
    await customerOfPage({ ...deps, trx }, { userId, email })
    throw new Error('killed')
  })
  await expect(page).rejects.toThrow('killed')
}
const untilForgotten = (customer: string) => vi.waitUntil(() => isDeleted(customer), { timeout: 30_000, interval: 50 })
/** The line ends before its hold. */
const waitForMoney = (orderId: string, money: string) =>
  vi.waitUntil(async () => (await findOrder(db, orderId))!.money === money, { timeout: 30_000, interval: 20 })
const removed = ({ userId }: TestBuyer) =>
  messageOf(accountDeleted, {
    userId,
    username: '@ben',
    email: 'ben@example.com',
    firstName: 'Ben',
    at: new Date().toISOString(),
  })

test('the first page of an account creates a Customer, and each later one has it: the second purchase is one click', async () => {
  const buyer = peers.givenBuyer()
  expect(await stateOf(buyer)).toEqual({ state: 'none' })
  const first = await openPage(buyer)
  const session = await sessionOf(first.url)
  expect(session).toMatchObject({
    customer: expect.stringMatching(/^cus_/),
    customer_email: null,
    customer_details: { email: 'ben@example.com' },
    saved_payment_method_options: { payment_method_save: 'enabled', payment_method_remove: 'enabled' },
  })
  await fetch(`${sandbox.url}/sandbox/sessions/${session.id}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ card: '5555555555554444', save: true }),
  })
  await waitForLines(payments, first.orderId, 'authorised')

  const second = await openPage(buyer)
  const [, card = ''] = /name="saved" value="(pm_\w+)"/.exec(await (await fetch(second.url)).text())!
  const click = await fetch(second.url, {
    method: 'POST',
    body: new URLSearchParams({ saved: card }),
    redirect: 'manual',
  })
  expect(click.headers.get('location')).toContain(`/purchase-thanks?order=${second.orderId}`)
  await waitForLines(payments, second.orderId, 'authorised')

  expect(await customerOf(second.url)).toBe(session.customer)
  expect(await created(buyer)).toEqual([session.customer])
  expect(await stateOf(buyer)).toEqual({ state: 'kept' })
  const { rows } = await sql<{ all: string }>`
    select json_agg(orders)::text || (select json_agg(card_customer)::text from card_customer) as all from orders`.execute(
    db,
  )
  expect(rows[0]!.all).not.toMatch(/[":]4444[",}]|mastercard|pm_/)
})

test('an operator reads whether cards are kept, and has them forgotten with a reason that is recorded', async () => {
  const buyer = peers.givenBuyer()
  const params = { id: buyer.userId }
  const action = { reason: 'asked for by letter' }
  const state = () => ops(getCardsOfAccount, { params })
  expect(await state()).toEqual({ state: 'none' })
  const { url, orderId } = await openPage(buyer)
  const customer = (await customerOf(url))!
  expect(await state()).toEqual({ state: 'kept' })

  expect(await ops(forgetCardsOfAccount, { params, body: action })).toEqual({ state: 'after_payment' })
  await cancel(payments, { orderId, buyer })
  await makeDue(buyer)
  await untilForgotten(customer)

  await vi.waitUntil(async () => (await state()).state === 'none', { timeout: 30_000, interval: 20 })
  expect(await listOperatorActions(db, [buyer.userId])).toMatchObject([{ action: 'forget-cards', ...action }])
})

test('the pages of offers and bids have the Customer, too', async () => {
  const buyer = peers.givenBuyer()
  const { url } = await openPage(buyer)
  const item = peers.givenItem({ forSale: false })
  const offer = (await makeOffer(payments, buyer, offerFor(item))).json()
  const bid = (await makeBid(payments, buyer, bidFor(peers.givenItem({ forSale: false })))).json()

  const customer = await customerOf(url)
  expect(customer).not.toBeNull()
  expect([await customerOf(offer.url), await customerOf(bid.url)]).toEqual([customer, customer])
})

test('two first pages at one instant have one Customer, another account another one', async () => {
  const [buyer, other] = [peers.givenBuyer(), peers.givenBuyer()]
  const pages = await Promise.all([openPage(buyer), openPage(buyer), openPage(buyer), openPage(other)])

  const [one, two, three, foreign] = await Promise.all(pages.map(({ url }) => customerOf(url)))
  expect([two, three]).toEqual([one, one])
  expect(foreign).not.toBe(one)
  expect(await created(buyer)).toEqual([one])
})

test('a Customer whose response was lost is the one of the next page', async () => {
  const buyer = peers.givenBuyer()
  // The client repeats a call once whose connection was closed.
  await sandbox.fault({ request: 'POST /v1/customers', mode: 'timeout_after', times: 2 })
  const first = await openPage(buyer)
  expect(await sessionOf(first.url)).toMatchObject({
    customer: null,
    customer_email: 'ben@example.com',
    saved_payment_method_options: null,
  })

  const second = await openPage(buyer)
  expect(await created(buyer)).toEqual([await customerOf(second.url)])
})

test('a page never fails for want of a Customer: without the right, and without a response', async () => {
  for (const path of ['/v1/customers', '/v1/customers/*'])
    for (const mode of ['forbidden', 'error_before', 'rate_limit']) {
      const buyer = peers.givenBuyer()
      const isUpdate = path.endsWith('*')
      if (isUpdate) await openPage(buyer)
      if (isUpdate) setAddress(buyer, 'new@example.com')
      await sandbox.fault({ request: `POST ${path}`, mode })
      const { url } = await openPage(buyer)
      const email = isUpdate ? 'new@example.com' : 'ben@example.com'
      expect(await sessionOf(url)).toMatchObject({ customer: null, customer_email: email })
      expect(await customerOf((await openPage(buyer)).url)).toMatch(/^cus_/)
    }
})

test('a key without the right to Customers raises an alarm', async () => {
  await sandbox.fault({ request: 'GET /v1/customers', mode: 'forbidden' })
  await checkAccount(deps)
  const { detail } = await db
    .selectFrom('alarm')
    .select('detail')
    .where('name', '=', 'key_without_right')
    .where('subject', '=', 'customers')
    .executeTakeFirstOrThrow()
  expect(detail).toContain('no right to Customers')
})

test('the Customer has the present address of the account, and none that the processor refuses', async () => {
  const buyer = peers.givenBuyer()
  const customer = (await customerOf((await openPage(buyer)).url))!
  for (const [email, stored] of [
    ['new@example.com', 'new@example.com'],
    ['ben@store.c2', null],
  ] as const) {
    setAddress(buyer, email)
    const { url } = await openPage(buyer)
    expect(await customerOf(url)).toBe(customer)
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ email: stored })
    expect((await sessionOf(url)).customer_details?.email ?? null).toBe(stored)
  }
})

test('while auth does not respond the page has no Customer, whose address may be a former one', async () => {
  const of = await startTestPayments({ manual: true })
  const buyer = of.peers.givenBuyer()
  await openPage(buyer, of.peers.givenItem(), of)
  of.peers.failing.add('catalog')
  expect((await start(of, buyer, cartOf(of.peers.givenItem()))).statusCode).toBe(503)
  const { id } = await of.db.selectFrom('orders').select('id').where('sessionId', 'is', null).executeTakeFirstOrThrow()
  of.peers.failing.delete('catalog')
  of.peers.failing.add('auth')

  await runStep(of.deps, id)
  const { url } = await runStep(of.deps, id)
  const { customer, customer_email } = await of.deps.processor
    .session(idOf(url!))
    .then(({ customerId, customer: details }) => ({ customer: customerId, customer_email: details }))
  expect([customer, customer_email]).toEqual([null, null])
})

test('a Customer that was deleted at the processor by hand is replaced by the next page', async () => {
  const buyer = peers.givenBuyer()
  const open = await openPage(buyer)
  const customer = (await customerOf(open.url))!
  await stripe.customers.del(customer)

  expect((await fetch(open.url)).status).toBe(400)
  expect((await cancel(payments, open)).json()).toMatchObject({ state: 'released' })
  const next = (await customerOf((await openPage(buyer)).url))!
  expect(next).not.toBe(customer)
  expect(await rowOf(buyer)).toMatchObject({ customerId: next, number: 2 })
})

test('one that is deleted between the steps of a page is replaced, and by none when that is deleted, too', async () => {
  const of = await startTestPayments({ manual: true })
  const buyer = of.peers.givenBuyer()
  await openPage(buyer, of.peers.givenItem(), of)
  const { customerId } = (await rowOf(buyer, of))!
  await of.sandbox.fault({ request: 'POST /v1/checkout/sessions', mode: 'error_before' })
  const item = of.peers.givenItem()
  expect((await start(of, buyer, cartOf(item))).statusCode).toBe(503)
  await of.deps.processor.deleteCustomer(customerId!)
  const { id } = await of.db.selectFrom('orders').select('id').where('sessionId', 'is', null).executeTakeFirstOrThrow()

  expect(await runStep(of.deps, id)).toMatchObject({ nextRunInMs: 0 })
  const other = (await rowOf(buyer, of))!
  expect(other).toMatchObject({ customerId: expect.stringMatching(/^cus_/), number: 2 })
  expect(other.customerId).not.toBe(customerId)
  await of.deps.processor.deleteCustomer(other.customerId!)
  expect(await runStep(of.deps, id)).toMatchObject({ nextRunInMs: 0 })
  const { url } = await runStep(of.deps, id)

  expect(await of.deps.processor.session(idOf(url!))).toMatchObject({
    customerId: null,
    customer: { email: 'ben@example.com' },
  })
  expect((await findOrder(of.db, id))!.sessionRequest).not.toHaveProperty('customer_email')
})

test('a page makes one call to the processor, the first of an account two, and one of a changed address two', async () => {
  const of = await startTestPayments({ manual: true, env: { RATE_LIMIT_FACTOR: '100' } })
  const buyer = of.peers.givenBuyer()
  const item = of.peers.givenItem()
  const create = 'POST /v1/checkout/sessions'
  await of.sandbox.fault({ request: '*', mode: 'slow', delayMs: 0, times: 1_000 })
  const applied = async () => (await of.sandbox.faults()).applied.map(({ subject }: { subject: string }) => subject)
  const callsOf = async (open: () => Promise<unknown>): Promise<string[]> => {
    const before = (await applied()).length
    await open()
    return (await applied()).slice(before)
  }
  const open = () => openPage(buyer, of.peers.givenItem(), of)

  expect(await callsOf(() => openPage(buyer, item, of))).toEqual(['POST /v1/customers', create])
  const { customerId } = (await rowOf(buyer, of))!
  const update = `POST /v1/customers/${customerId}`
  expect([await callsOf(open), await callsOf(open)]).toEqual([[create], [create]])
  expect(await creationOf(buyer, of)).toBeUndefined()
  setAddress(buyer, 'new@example.com', of)
  expect([await callsOf(open), await callsOf(open)]).toEqual([[update, create], [create]])

  // As a former release stored it.
  await of.db.updateTable('cardCustomer').set({ emailDigest: null }).execute()
  expect([await callsOf(open), await callsOf(open)]).toEqual([[update, create], [create]])
  // The buyer may have typed an address on each of these pages.
  setAddress(buyer, 'ben@store.c2', of)
  expect([await callsOf(open), await callsOf(open)]).toEqual([
    [update, create],
    [update, create],
  ])
  setAddress(buyer, 'new@example.com', of)
  expect(await callsOf(open)).toEqual([update, create])

  await of.deps.processor.deleteCustomer(customerId!)
  expect(await callsOf(open)).toEqual([create, 'POST /v1/customers', create])
  expect(await callsOf(open)).toEqual([create])
  expect(await rowOf(buyer, of)).toMatchObject({ customerId: expect.stringMatching(/^cus_/), number: 2 })
  expect(await of.db.selectFrom('orders').select('id').where('sessionId', 'is', null).execute()).toEqual([])
})

test('a Customer that was created before the process was killed is the one of the next page, with its address', async () => {
  const buyer = peers.givenBuyer()
  await killedInPage(buyer, 'former@example.com')
  expect(await rowOf(buyer)).toBeUndefined()

  const customer = await customerOf((await openPage(buyer)).url)
  expect(await created(buyer)).toEqual([customer])
  expect(await stripe.customers.retrieve(customer!)).toMatchObject({ email: 'ben@example.com' })
  expect(await creationOf(buyer)).toBeUndefined()
})

test('one that no page has is deleted: after a kill, a lost response, and the deletion of the account', async () => {
  const [killed, lost, gone] = [peers.givenBuyer(), peers.givenBuyer(), peers.givenBuyer()]
  await killedInPage(killed, 'ben@example.com')
  for (const buyer of [lost, gone]) {
    await sandbox.fault({ request: 'POST /v1/customers', mode: 'timeout_after', times: 2 })
    await cancel(payments, await openPage(buyer))
    expect(await forget(buyer)).toEqual({ state: 'none' })
  }
  peers.accounts.delete(gone.userId)
  await consume(removed(gone))
  await vi.waitUntil(async () => (await rowOf(gone)) === undefined, { timeout: 30_000, interval: 20 })

  await sandbox.fault({ request: 'GET /v1/customers', mode: 'error_before' })
  for (const buyer of [killed, lost, gone]) {
    const [customer] = await created(buyer)
    await lookUp(buyer)
    await untilForgotten(customer!)
    await untilLookedUp(buyer)
  }
  await vi.waitUntil(async () => (await rowOf(killed)) === undefined && (await rowOf(gone)) === undefined)
  await untilNone(lost)
  const next = (await customerOf((await openPage(lost)).url))!
  expect([await isDeleted(next), (await created(lost)).length]).toEqual([false, 2])
})

test('a request for a Customer that never arrived, or was refused, leaves nothing', async () => {
  const [unsent, refused] = [peers.givenBuyer(), peers.givenBuyer()]
  await sandbox.fault({ request: 'POST /v1/customers', mode: 'forbidden' })
  await openPage(refused)
  expect(await creationOf(refused)).toBeUndefined()

  await sandbox.fault({ request: 'POST /v1/customers', mode: 'timeout_before', times: 2 })
  await openPage(unsent)
  expect(await creationOf(unsent)).toMatchObject({ email: 'ben@example.com' })
  await lookUp(unsent)
  await untilLookedUp(unsent)
  expect(await rowOf(unsent)).toMatchObject({ customerId: null })
  expect(await created(unsent)).toEqual([])
})

test('a lost Customer of an account that has another one is deleted after that', async () => {
  const of = await startTestPayments({ manual: true })
  const buyer = of.peers.givenBuyer()
  const page = await openPage(buyer, of.peers.givenItem(), of)
  const { userId } = buyer
  const metadata = { store: of.deps.storeId, account: userId, number: '7' }
  const lost = await of.deps.processor.createCustomer({ email: 'ben@example.com', metadata }, 'lost')
  const creation = { userId, number: 7, email: 'ben@example.com', dueAt: sql<Date>`now()` }
  await of.db.insertInto('cardCustomerCreation').values(creation).execute()
  const { customerId } = (await rowOf(buyer, of))!

  expect([await findLostCustomer(of.deps), await findLostCustomer(of.deps)]).toEqual([true, false])
  expect(await rowOf(buyer, of)).toMatchObject({ customerId, forgetRequestedAt: null })
  await cancel(of, page)
  await of.app.inject({ method: 'DELETE', url: '/api/payments/cards', headers: buyer.headers })
  await of.db.updateTable('cardCustomerCreation').set({ dueAt: sql<Date>`now()` }).execute()
  expect(await findLostCustomer(of.deps)).toBe(true)
  expect(await rowOf(buyer, of)).toMatchObject({ customerId: lost.id, number: 7, forgetRequestedAt: expect.any(Date) })
  expect(await creationOf(buyer, of)).toBeUndefined()
})

test('one that a page requests again while the list is read is found as well', async () => {
  const of = await startTestPayments({ manual: true })
  const { userId } = of.peers.givenBuyer()
  const metadata = { store: of.deps.storeId, account: userId, number: '1' }
  const creation = { userId, number: 1, email: null, dueAt: sql<Date>`now()` }
  await of.db.insertInto('cardCustomerCreation').values(creation).execute()
  const { findCustomer, createCustomer } = of.deps.processor
  let repeated: string | undefined
  const processor = {
    ...of.deps.processor,
    findCustomer: async (...input: Parameters<typeof findCustomer>) => {
      const found = await findCustomer(...input)
      repeated ??= (await createCustomer({ email: null, metadata }, `cus:${userId}`)).id
      return found
    },
  }

  expect(await findLostCustomer({ ...of.deps, processor })).toBe(true)

  const row = await of.db.selectFrom('cardCustomer').selectAll().where('userId', '=', userId).executeTakeFirst()
  expect(row).toMatchObject({ customerId: repeated, forgetRequestedAt: expect.any(Date) })
  expect(await of.db.selectFrom('cardCustomerCreation').selectAll().execute()).toEqual([])
})

test('a look-up that fails is postponed before its call, delays no deletion, and raises an alarm when it lasts', async () => {
  const of = await startTestPayments({ manual: true })
  const buyer = of.peers.givenBuyer()
  const page = await openPage(buyer, of.peers.givenItem(), of)
  const { customerId } = (await rowOf(buyer, of))!
  await of.sandbox.fault({ request: 'DELETE /v1/customers/*', mode: 'error_before' })
  await cancel(of, page)
  await of.app.inject({ method: 'DELETE', url: '/api/payments/cards', headers: buyer.headers })
  const dueNow = { dueAt: sql<Date>`now()` }
  await of.db.updateTable('cardCustomer').set(dueNow).execute()
  await of.db
    .insertInto('cardCustomerCreation')
    .values({ userId: buyer.userId, number: 7, email: null, ...dueNow })
    .execute()

  const postponed: boolean[] = []
  const findCustomer = async () => {
    const { rows } = await sql<{ later: boolean }>`select due_at > now() as later from card_customer_creation`.execute(
      of.db,
    )
    postponed.push(...rows.map(({ later }) => later))
    throw new Error('the connection is closed')
  }
  const { run } = jobs['forgotten cards'].handler({ ...of.deps, processor: { ...of.deps.processor, findCustomer } })
  await run()
  await expect(of.deps.processor.setCustomerEmail(customerId!, 'ben@example.com')).resolves.toBe(false)
  for (let failures = 1; failures <= 10; failures++) {
    expect(await alarms(of)).toEqual([])
    await of.db.updateTable('cardCustomerCreation').set(dueNow).execute()
    await run()
    expect(await creationOf(buyer, of)).toMatchObject({ failures })
  }
  expect(postponed).toEqual(Array(10).fill(true))
  expect(await alarms(of)).toEqual(['cards_not_forgotten'])
})

test('an update of the address before the process was killed is made again, also to the former address', async () => {
  const buyer = peers.givenBuyer()
  const customer = (await customerOf((await openPage(buyer)).url))!
  await killedInPage(buyer, 'new@example.com')
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ email: 'new@example.com' })

  expect(await customerOf((await openPage(buyer)).url)).toBe(customer)
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ email: 'ben@example.com' })
})

test('a page that waits for one with another address leaves the Customer, whose address stays known', async () => {
  const buyer = peers.givenBuyer()
  const { userId } = buyer
  const customer = (await customerOf((await openPage(buyer)).url))!
  const waiting = () =>
    sql`select from pg_locks where not granted and pid in (
      select pid from pg_stat_activity where datname = current_database() and query like '%card_customer%')`.execute(db)
  let later: Promise<unknown> = Promise.resolve()
  await db.transaction().execute(async (trx) => {
    const email = 'new@example.com'
    expect(await customerOfPage({ ...deps, trx }, { userId, email })).toBe(customer)
    later = db.transaction().execute(async (other) => {
      const page = await customerOfPage({ ...deps, trx: other }, { userId, email: 'ben@example.com' })
      throw new Error(`killed with ${page}`)
    })
    later.catch(() => undefined)
    await vi.waitUntil(async () => (await waiting()).rows.length > 0, { timeout: 30_000, interval: 20 })
  })
  await expect(later).rejects.toThrow('killed with null')
  expect(await stripe.customers.retrieve(customer)).toMatchObject({ email: 'new@example.com' })
  setAddress(buyer, 'new@example.com')
  expect(await sessionOf((await openPage(buyer)).url)).toMatchObject({
    customer,
    customer_details: { email: 'new@example.com' },
  })
})

test.each(['the first page', 'a page with another address', 'a page'])(
  '%s does not fail while one before it waits for the processor',
  async (which) => {
    const buyer = peers.givenBuyer()
    if (which !== 'the first page') await openPage(buyer)
    if (which === 'a page with another address') setAddress(buyer, 'new@example.com')

    const { url } = await db.transaction().execute(async (trx) => {
      await trx
        .insertInto('cardCustomer')
        .values({ userId: buyer.userId })
        .onConflict((conflict) => conflict.column('userId').doUpdateSet({ failures: 0 }))
        .execute()
      return openPage(buyer)
    })

    expect(await customerOf(url)).toBeNull()
    expect(await customerOf((await openPage(buyer)).url)).toMatch(/^cus_/)
  },
)

test('nor does one whose Customer the processor no longer has', async () => {
  const buyer = peers.givenBuyer()
  const missing = (await customerOf((await openPage(buyer)).url))!

  const replacing = db.transaction().execute(async (other) => {
    await other.selectFrom('cardCustomer').select('userId').where('userId', '=', buyer.userId).forUpdate().execute()
    return db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = 100`.execute(trx)
      const account = { userId: buyer.userId, email: 'ben@example.com', missing }
      const customerId = await customerInsteadOf({ ...deps, trx }, account)
      return { customerId, works: await countBoughtWorks(trx, buyer.userId) }
    })
  })

  expect(await replacing).toEqual({ customerId: null, works: 0 })
})

test('a key that a former release used has other parameters: the Customer gets another key', async () => {
  const buyer = peers.givenBuyer()
  const metadata = { store: deps.storeId, account: buyer.userId }
  await stripe.customers.create({ metadata }, { idempotencyKey: `cus:${buyer.userId}` })

  const customerId = await customerOf((await openPage(buyer)).url)
  expect(await rowOf(buyer)).toMatchObject({ customerId, number: 2 })
  expect(customerId).toMatch(/^cus_/)
})

test('a database that was restored to before the row finds the Customer by its key, later by its sessions', async () => {
  const of = await startTestPayments({ manual: true })
  const buyer = of.peers.givenBuyer()
  await openPage(buyer, of.peers.givenItem(), of)
  const { customerId } = (await rowOf(buyer, of))!
  await of.db.deleteFrom('cardCustomer').execute()
  await openPage(buyer, of.peers.givenItem(), of)
  expect(await rowOf(buyer, of)).toMatchObject({ customerId })

  await of.db.deleteFrom('cardCustomer').execute()
  await givenLostOrder(of, [of.peers.givenItem()], null, 'purchase', buyer.userId, customerId)
  await rebuildAll(of)
  expect(await rowOf(buyer, of)).toMatchObject({ customerId, number: 1 })

  const former = await of.deps.processor.createCustomer({ email: null, metadata: {} }, 'former')
  const restored = { customerId: former.id, since: new Date(Date.now() - 86_400_000) }
  await of.db.updateTable('cardCustomer').set(restored).execute()
  await givenLostOrder(of, [of.peers.givenItem()], null, 'purchase', buyer.userId, customerId)
  await rebuildAll(of)
  expect(await rowOf(buyer, of)).toMatchObject({ customerId })
})

test('a restored row of a Customer that was forgotten afterwards leads to one that exists', async () => {
  const buyer = peers.givenBuyer()
  const first = await openPage(buyer)
  const customerId = (await customerOf(first.url))!
  await cancel(payments, first)
  expect(await forget(buyer)).toEqual({ state: 'none' })
  const second = await openPage(buyer)
  await cancel(payments, second)
  expect(await forget(buyer)).toEqual({ state: 'none' })
  await db.updateTable('cardCustomer').set({ customerId, number: 1 }).where('userId', '=', buyer.userId).execute()

  const { url } = await openPage(buyer)
  expect(await isDeleted((await customerOf(url))!)).toBe(false)
  expect(await created(buyer)).toHaveLength(3)
})

test('“Forget my cards” deletes the Customer, twice as well; the next page has a new one', async () => {
  const [buyer, other] = [peers.givenBuyer(), peers.givenBuyer()]
  const page = await openPage(buyer)
  const customer = (await customerOf(page.url))!
  const foreign = (await customerOf((await openPage(other)).url))!
  await cancel(payments, page)

  expect(await forget(buyer)).toEqual({ state: 'none' })
  expect(await forget(buyer)).toEqual({ state: 'none' })
  expect([await isDeleted(customer), await isDeleted(foreign)]).toEqual([true, false])
  expect(await stateOf(other)).toEqual({ state: 'kept' })
  const next = (await customerOf((await openPage(buyer)).url))!
  expect([next === customer, await isDeleted(next)]).toEqual([false, false])
})

test('an account that never opened a page has nothing to forget, and a visitor no access', async () => {
  const buyer = peers.givenBuyer()
  expect(await forget(buyer)).toEqual({ state: 'none' })
  expect(await rowOf(buyer)).toBeUndefined()
  for (const method of ['GET', 'DELETE'] as const)
    expect((await app.inject({ method, url: '/api/payments/cards' })).statusCode).toBe(401)
})

test('cards are forgotten after an open payment and its capture; meanwhile new pages remember none', async () => {
  const buyer = peers.givenBuyer()
  const { url, orderId } = await openPage(buyer)
  const customer = (await customerOf(url))!

  expect(await forget(buyer)).toEqual({ state: 'after_payment' })
  expect(await sessionOf((await openPage(buyer)).url)).toMatchObject({
    customer: null,
    customer_email: 'ben@example.com',
  })
  await sandbox.pay(url)
  await waitForLines(payments, orderId, 'authorised')
  await makeDue(buyer)
  expect(await forget(buyer)).toEqual({ state: 'after_payment' })
  expect(await isDeleted(customer)).toBe(false)

  await deliver(payments, (await lines(payments, orderId))[0]!)
  await waitForLines(payments, orderId, 'completed')
  await makeDue(buyer)
  await untilForgotten(customer)
  await untilNone(buyer)
})

test('a held offer needs the Customer until it ended', async () => {
  const buyer = peers.givenBuyer()
  const item = peers.givenItem({ forSale: false })
  const { url, orderId } = (await makeOffer(payments, buyer, offerFor(item))).json()
  await sandbox.pay(url)
  await waitForLines(payments, orderId, 'held')
  expect(await forget(buyer)).toEqual({ state: 'after_payment' })

  peers.endOffer(orderId, 'declined')
  await consume(endedOf({ orderId, item, buyer }, 'declined'))
  await waitForMoney(orderId, 'released')
  await makeDue(buyer)
  await untilForgotten((await customerOf(url))!)
})

test('while the processor is down cards are being forgotten, and then they are', async () => {
  const buyer = peers.givenBuyer()
  const page = await openPage(buyer)
  const customer = (await customerOf(page.url))!
  await cancel(payments, page)
  await sandbox.fault({ request: `DELETE /v1/customers/${customer}`, mode: 'error_before', times: 2 })

  expect(await forget(buyer)).toEqual({ state: 'forgetting' })
  expect(await customerOf((await openPage(buyer)).url)).toBeNull()
  await makeDue(buyer)
  await vi.waitUntil(async () => (await rowOf(buyer))!.failures === 2, { timeout: 30_000, interval: 20 })
  await makeDue(buyer)
  await untilForgotten(customer)
  await untilNone(buyer)
})

test('a deletion whose response was lost, or that was made by hand, is done by the next try', async () => {
  const buyer = peers.givenBuyer()
  const page = await openPage(buyer)
  const customer = (await customerOf(page.url))!
  await cancel(payments, page)
  await sandbox.fault({ request: `DELETE /v1/customers/${customer}`, mode: 'timeout_after', times: 2 })
  expect(await forget(buyer)).toEqual({ state: 'forgetting' })
  expect(await isDeleted(customer)).toBe(true)
  await makeDue(buyer)
  await untilNone(buyer)
})

test('cards that the processor does not forget raise an alarm', async () => {
  const of = await startTestPayments({ manual: true })
  const buyer = of.peers.givenBuyer()
  const page = await openPage(buyer, of.peers.givenItem(), of)
  await cancel(of, page)
  await of.sandbox.fault({ request: 'DELETE /v1/customers/*', mode: 'forbidden', times: 10 })
  await of.app.inject({ method: 'DELETE', url: '/api/payments/cards', headers: buyer.headers })
  for (let failures = 1; failures < 10; failures++) {
    expect(await alarms(of)).toEqual([])
    await of.db.updateTable('cardCustomer').set({ dueAt: sql<Date>`now()` }).execute()
    expect(await forgetDueCards(of.deps)).toBe(true)
  }
  expect(await alarms(of)).toEqual(['cards_not_forgotten'])
  expect(await forgetDueCards(of.deps)).toBe(false)
})

test('the deletion of an account deletes its Customer and the row', async () => {
  const [buyer, empty] = [peers.givenBuyer(), peers.givenBuyer()]
  const { url, orderId } = await openPage(buyer)
  const customer = (await customerOf(url))!
  const page = await openPage(empty)
  await cancel(payments, page)
  await forget(empty)

  for (const person of [buyer, empty]) {
    peers.accounts.delete(person.userId)
    await consume(removed(person))
  }
  await waitForLines(payments, orderId, 'released')
  await makeDue(buyer)
  await untilForgotten(customer)
  await vi.waitUntil(async () => (await rowOf(buyer)) === undefined, { timeout: 30_000, interval: 20 })
  expect(await rowOf(empty)).toBeUndefined()
})

test('an account that is deleted during a hold keeps its Customer until the capture', async () => {
  const buyer = peers.givenBuyer()
  const { url, orderId } = await openPage(buyer)
  const customer = (await customerOf(url))!
  await sandbox.pay(url)
  await waitForLines(payments, orderId, 'authorised')
  peers.accounts.delete(buyer.userId)
  await consume(removed(buyer))
  await vi.waitUntil(async () => (await rowOf(buyer))!.dueAt > new Date(), { timeout: 30_000, interval: 20 })
  expect(await isDeleted(customer)).toBe(false)

  await deliver(payments, (await lines(payments, orderId))[0]!)
  await waitForLines(payments, orderId, 'completed')
  await makeDue(buyer)
  await untilForgotten(customer)
  await vi.waitUntil(async () => (await rowOf(buyer)) === undefined, { timeout: 30_000, interval: 20 })
})

test('the export of an account says since when cards may be remembered', async () => {
  const [buyer, other] = [peers.givenBuyer(), peers.givenBuyer()]
  await openPage(buyer)
  const exported = async ({ userId }: TestBuyer) =>
    (await app.inject({ url: '/api/orders/export', headers: peers.steppedUp(userId) }))
      .json()
      .records.filter(({ kind }: { kind: string }) => kind === 'remembered_cards')
  expect(await exported(buyer)).toEqual([
    { kind: 'remembered_cards', data: { since: expect.any(String), forgetRequestedAt: null } },
  ])
  expect(await exported(other)).toEqual([])
})

test('forgetting is a security event of the account', async () => {
  const buyer = peers.givenBuyer()
  await forget(buyer)
  const recorded = async () =>
    sql<{ kind: string }>`select kind from security_event where user_id = ${buyer.userId}`.execute(db)
  await vi.waitUntil(async () => (await recorded()).rows.length > 0, { timeout: 30_000, interval: 20 })
  expect((await recorded()).rows).toEqual([{ kind: 'cards_forgotten' }])
})
