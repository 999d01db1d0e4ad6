import { listUnpaidShares, UNPAID_SHARES_PAGE } from '@nifty/api/payments/ops-money'
import type { StatementEntry } from '@nifty/api/payments/public'
import { STATEMENT_PAGE } from '@nifty/api/payments/statement-page'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { LINES_AT_ONCE } from './book.store.ts'
import { owedAccounts, payOut, returnPayout } from './payout.actions.ts'

/** Two parts of a payout. `LINES=300000` is the largest account that was tried. */
const LINES = Number(process.env.LINES ?? 1.2 * LINES_AT_ONCE)
const CENTS = 10_800

const payments = await startTestPayments({ manual: true })
const { db, app, peers } = payments

/** A seller with this many sold lines in November 2026, each of an order of its own, and none of them paid out. */
async function givenSeller(lines: number) {
  const seller = peers.givenBuyer()
  const { userId } = seller
  await db.transaction().execute(async (trx) => {
    // Without triggers and checks of keys, which take most of the time.
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`create temporary table sold on commit drop as
      select gen_random_uuid() as id, gen_random_uuid() as order_id, n from generate_series(1, ${lines}::int) n`.execute(
      trx,
    )
    await sql`insert into orders (id, buyer_id, terms_version, total_cents, commission_bps, expires_at)
      select order_id, gen_random_uuid(), '1', 12000, 1000, now() from sold`.execute(trx)
    await sql`insert into line (id, order_id, position, buyer_id, item_id, price_cents, name, seller_id, creator_id)
      select id, order_id, 0, gen_random_uuid(), gen_random_uuid(), 12000, 'Work ' || n, ${userId}, ${userId}
      from sold`.execute(trx)
    await sql`insert into book_entry (line_id, kind, user_id, amount_cents, cause, at)
      select id, kind, user_id, cents, 'capture', timestamptz '2026-11-02T10:00:00Z' + n * interval '1 second'
      from sold, (values ('sale', ${userId}::uuid, ${CENTS}::int), ('commission', null, 1200)) entry (kind, user_id, cents)
      order by n`.execute(trx)
  })
  for (const table of ['orders', 'line', 'book_entry']) await sql`analyze ${sql.table(table)}`.execute(db)
  return seller
}

const owedTo = async (userId: string) => (await owedAccounts(db, { holdMs: 0 })).find((one) => one.userId === userId)
// Not by HTTP: the tests' client waits for five seconds.
const pay = (payment: Parameters<typeof payOut>[1]) => db.transaction().execute((trx) => payOut(trx, payment))
const unpaidEntries = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from book_entry where user_id = ${userId} and payout_id is null`.execute(db)
  return rows[0]!.count
}

const seller = await givenSeller(LINES)
const { userId, headers } = seller

async function read<Body>(url: string): Promise<Body> {
  const response = await app.inject({ url, headers })
  expect(response.statusCode).toBe(200)
  return response.json()
}

test('a statement is read page by page, each entry once, newest first', async () => {
  type Page = { entries: StatementEntry[]; next: string | null }
  const first = await read<Page & { due: number; month: string }>('/api/orders/statement')
  expect(first).toMatchObject({ due: (LINES * CENTS) / 100, month: '2026-11' })
  expect(first.entries).toHaveLength(STATEMENT_PAGE)
  const ids = first.entries.map(({ _id }) => _id)
  let page: Page = first
  const path = '/api/orders/statement/entries?month=2026-11'
  while (page.next) {
    page = await read(`${path}&limit=1000&after=${page.next}`)
    ids.push(...page.entries.map(({ _id }) => _id))
  }
  expect(ids).toHaveLength(LINES)
  expect(new Set(ids).size).toBe(LINES)
  expect(ids).toEqual(ids.toSorted((a, b) => b - a))
})

test('unpaid shares are read page by page, each line once, oldest first', async () => {
  const first = await payments.internal(listUnpaidShares, { params: { userId }, query: {} })
  expect(first.shares).toHaveLength(UNPAID_SHARES_PAGE)
  const { shares } = first
  for (let after = first.next; after !== null; ) {
    const page = await payments.internal(listUnpaidShares, { params: { userId }, query: { after } })
    shares.push(...page.shares)
    after = page.next
  }
  expect(shares).toHaveLength(LINES)
  expect(new Set(shares.map(({ lineId }) => lineId)).size).toBe(LINES)
  const times = shares.map(({ dueAt }) => Date.parse(dueAt))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  await expect(
    payments.internal(listUnpaidShares, { params: { userId }, query: { after: '999999999999999' } }),
  ).rejects.toMatchObject({ code: 'invalid_cursor' })
})

test('a payout whose connection is lost in the middle has paid nothing, and is repeated as a whole', async () => {
  const operator = { operator: 'ada', reason: 'a test' }
  const payment = { payoutId: crypto.randomUUID(), userId, amountCents: LINES * CENTS, holdMs: 0, ...operator }
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  onTestFinished(() => release.resolve())
  // The last line of the account is in the last part.
  const blocker = db.transaction().execute(async (trx) => {
    await sql`select from book_entry where user_id = ${userId} order by line_id desc limit 1 for update`.execute(trx)
    held.resolve()
    await release.promise
  })
  await held.promise
  const lost = db.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = 0`.execute(trx)
    return payOut(trx, payment)
  })
  const outcome = lost.catch((error: Error) => error)
  const waiting = sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const pid = async () => (await waiting.execute(db)).rows[0]?.pid
  await expect.poll(pid, { timeout: 60_000, interval: 20 }).toBeDefined()
  await sql`select pg_terminate_backend(${await pid()})`.execute(db)
  expect(await outcome).toBeInstanceOf(Error)
  release.resolve()
  await blocker
  expect(await unpaidEntries()).toBe(LINES)

  await pay(payment)
  expect(await unpaidEntries()).toBe(0)
  expect(await pay(payment)).toMatchObject({ amountCents: payment.amountCents })
  expect(await owedTo(userId)).toBeUndefined()

  await db.transaction().execute((trx) => returnPayout(trx, { payoutId: payment.payoutId, ...operator }))
  expect(await owedTo(userId)).toMatchObject({ dueCents: payment.amountCents, entries: LINES })
})

test('the end of a page that is not of the account is 400', async () => {
  const other = await givenSeller(1)
  const { rows } = await sql<{ id: number }>`select id from book_entry where user_id = ${other.userId}`.execute(db)
  for (const after of [rows[0]!.id, '999999999999999']) {
    const response = await app.inject({ url: `/api/orders/statement/entries?month=2026-11&after=${after}`, headers })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ code: 'invalid_cursor', errors: [{ path: 'after' }] })
  }
  for (const query of ['month=2026-11&limit=1001', 'month=2026-13', 'month=2026-11&after=-1', ''])
    expect((await app.inject({ url: `/api/orders/statement/entries?${query}`, headers })).statusCode).toBe(400)
})
