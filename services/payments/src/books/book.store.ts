import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { type Balances, type EntryCause, type EntryKind, noBalances } from './book.ts'
import { contest, isContesting, isRefundPending, isUndecided } from './open-reversal.ts'

type Booking = {
  lineId: string
  sellerId: string
  creatorId: string
  balances: Balances
  cause: EntryCause
  reversalId: string | null
}

const kinds: readonly EntryKind[] = ['sale', 'royalty', 'commission', 'platform']

/**
 * Adds the entries that bring a line's books to the given balances; none when they are there. The first booking of a
 * line has an entry for the seller and the platform even if that is 0. The caller holds the order's lock.
 */
export async function bookLine(trx: Transaction<Database>, booking: Booking) {
  const { lineId, sellerId, creatorId, balances, cause, reversalId } = booking
  const held = await lineBalances(trx, lineId)
  const users: Record<EntryKind, string | null> = {
    sale: sellerId,
    royalty: creatorId,
    commission: null,
    platform: null,
  }
  const entries = kinds
    .map((kind) => ({ kind, amountCents: balances[kind] - (held?.[kind] ?? 0) }))
    .filter(({ kind, amountCents }) => amountCents !== 0 || (!held && (kind === 'sale' || kind === 'commission')))
    .map((entry) => ({ ...entry, lineId, userId: users[entry.kind], cause, reversalId, payoutId: null }))
  if (entries.length > 0) await trx.insertInto('bookEntry').values(entries).execute()
}

async function lineBalances(db: Kysely<Database>, lineId: string): Promise<Balances | undefined> {
  const rows = await db
    .selectFrom('bookEntry')
    .select(({ fn }) => ['kind', fn.sum<string | number>('amountCents').as('cents')])
    .where('lineId', '=', lineId)
    .groupBy('kind')
    .execute()
  if (rows.length === 0) return undefined
  return { ...noBalances, ...Object.fromEntries(rows.map(({ kind, cents }) => [kind, Number(cents)])) }
}

/** What an account is owed, cents. Negative: it was paid out before a loss that it bears. */
type Owed = { dueCents: number; waitingCents: number; heldBackCents: number; heldBecause: HeldBecause[] }

/**
 * Why shares are held back. `not_assigned`: a part of several lines was refunded, and no operator has named them.
 * `undecided`: no operator has decided who bears what was refunded or lost.
 */
export type HeldBecause = 'disputed' | 'fraud_warning' | 'inquiry' | 'not_assigned' | 'refund_pending' | 'undecided'

/** `paid`, or what happens to it at the next payout: `due`, `waiting` (hold-back period) or `held_back`. */
export type EntryStatus = 'paid' | 'due' | 'waiting' | 'held_back'

export type AccountEntry = {
  id: number
  userId: string
  lineId: string
  itemId: string
  name: string
  at: Date
  kind: 'sale' | 'royalty'
  cause: EntryCause
  amountCents: number
  priceCents: number
  commissionCents: number
  royaltyCents: number
  status: EntryStatus
  /** Why it is held back. */
  heldBecause: HeldBecause | null
  /** When the hold-back period of the line ends. */
  dueAt: Date
  paidOutAt: Date | null
}

/** Lines of one statement: those of a large account take longer together than a statement may (`openDatabase`). */
export const LINES_AT_ONCE = 10_000

/** A place in the sequence of the unpaid shares. */
type Place = { userId: string; lineId: string }

const START: Place = {
  userId: '00000000-0000-0000-0000-000000000000',
  lineId: '00000000-0000-0000-0000-000000000000',
}

type Shares = {
  holdMs: number
  /** Of one account; of all when absent. */
  userId?: string
} & ({ after: Place } | { lines: RawBuilder<unknown> })

/**
 * The unpaid shares of each account by line, and `held_line` with the lines whose shares are held back: the shares of
 * `lines`, or the first `LINES_AT_ONCE` behind `after`. Shares are due `holdMs` after the line was booked, and not
 * while a refund of it is under way, a part of its order's refund is not assigned, its bank contests it, or no operator
 * has decided who bears a refund or a lost dispute. What a line owes back after a payout is due at once: a negative
 * balance is carried.
 */
const sharesWithStatus = ({ holdMs, userId, ...which }: Shares) => sql`
  share as (
    select user_id, line_id, sum(amount_cents)::bigint as net, count(*)::int as entries
    from book_entry
    where user_id is not null and payout_id is null ${userId ? sql`and user_id = ${userId}` : sql``}
      ${'lines' in which ? sql`and line_id in (${which.lines})` : sql`and ${isBehind(which.after)}`}
    group by user_id, line_id
    ${'lines' in which ? sql`` : sql`order by user_id, line_id limit ${sql.lit(LINES_AT_ONCE)}`}
  ), held_line as (
    select line_id, min(held_because) as held_because from (
      select line_id, 'refund_pending' as held_because from refund where state = 'requested'
      union all
      select line.id, case when reversal.ambiguous then 'not_assigned' when ${isRefundPending} then 'refund_pending'
        when ${isContesting} then ${contest} else 'undecided' end
      from (select distinct line_id from share) unpaid join line on line.id = unpaid.line_id
      join reversal using (order_id) left join refund on refund.id = reversal.refund_id
      where reversal.ambiguous
        or (${isRefundPending} or ${isContesting} or ${isUndecided}) and (
          line.id = any(reversal.line_ids) or line.id = refund.line_id
          or reversal.line_ids is null and reversal.refund_id is null)
    ) held group by line_id
  ), share_with_status as (
    select share.*, held_because,
      case
        when net < 0 then 'due'
        when held_because is not null then 'held_back'
        when opening.at + ${holdPeriod(holdMs)} > now() then 'waiting'
        else 'due'
      end as status
    from share
    join book_entry opening on opening.line_id = share.line_id and opening.kind = 'sale'
      and opening.cause in ('capture', 'write_off')
    left join held_line on held_line.line_id = share.line_id
  )`

const isBehind = ({ userId, lineId }: Place) => sql`(user_id, line_id) > (${userId}::uuid, ${lineId}::uuid)`

const holdPeriod = (holdMs: number) => sql`make_interval(secs => ${holdMs / 1000}::float8)`

type Selection = {
  holdMs: number
  userId: string
  unpaidOnly?: boolean
  /** `YYYY-MM`, UTC. */
  month?: string
  lineIds?: string[]
  /** The id of the last entry of the page before. */
  after?: number
  /** All when absent. */
  limit?: number
}

/** Entries of one account, newest first: all unpaid ones, those of some lines, or those of a month. */
export async function accountEntries(
  db: Kysely<Database>,
  { holdMs, userId, unpaidOnly, month, lineIds, after, limit }: Selection,
): Promise<AccountEntry[]> {
  const start = sql`${`${month}-01`}::timestamp`
  const conditions = [
    sql`user_id = ${userId}`,
    ...(unpaidOnly ? [sql`payout_id is null`] : []),
    ...(lineIds ? [sql`line_id = any(${lineIds}::uuid[])`] : []),
    ...(month
      ? [sql`at >= ${start} at time zone 'UTC' and at < (${start} + interval '1 month') at time zone 'UTC'`]
      : []),
    ...(after === undefined
      ? []
      : [
          // For the index of the account's entries, which a comparison of rows with a query's result does not use.
          sql`at <= (select at from book_entry where id = ${after})`,
          sql`(at, id) < (select at, id from book_entry where id = ${after})`,
        ]),
  ]
  const { rows } = await sql<AccountEntry>`
    with e as materialized (
      select * from book_entry where ${sql.join(conditions, sql` and `)}
      order by at desc, id desc ${limit === undefined ? sql`` : sql`limit ${limit}`}
    ), ${sharesWithStatus({ holdMs, userId, lines: sql`select line_id from e` })}
    select e.id, e.user_id, e.line_id, l.item_id, l.name, e.at, e.kind, e.cause, e.amount_cents, l.price_cents,
      o.commission_cents, o.royalty_cents, o.at + ${holdPeriod(holdMs)} as due_at, p.at as paid_out_at,
      case when e.payout_id is null then s.status else 'paid' end as status,
      case when e.payout_id is null and s.status = 'held_back' then s.held_because end as held_because
    from e
    join line l on l.id = e.line_id
    cross join lateral (
      select min(at) as at,
        coalesce(sum(amount_cents) filter (where kind = 'commission'), 0)::int as commission_cents,
        coalesce(sum(amount_cents) filter (where kind = 'royalty'), 0)::int as royalty_cents
      from book_entry where line_id = e.line_id and cause in ('capture', 'write_off')) o
    left join share_with_status s on s.line_id = e.line_id
    left join payout p on p.id = e.payout_id
    order by e.at desc, e.id desc`.execute(db)
  return rows
}

/** Whether an entry is of this account. */
export async function isEntryOf(db: Kysely<Database>, userId: string, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('bookEntry')
    .select('id')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * The months with entries of an account, `YYYY-MM` in UTC, newest first. Reads one entry of each month, not all of
 * them.
 */
export async function bookedMonths(db: Kysely<Database>, userId: string): Promise<string[]> {
  const newest = (condition: RawBuilder<unknown>) => sql`
    select date_trunc('month', at at time zone 'UTC') as start from book_entry
    where user_id = ${userId} ${condition} order by at desc limit 1`
  const { rows } = await sql<{ month: string }>`
    with recursive month as (
      select start from (${newest(sql``)}) newest
      union all
      select earlier.start from month, lateral (${newest(sql`and at < month.start at time zone 'UTC'`)}) earlier
    )
    select to_char(start, 'YYYY-MM') as month from month order by start desc`.execute(db)
  return rows.map(({ month }) => month)
}

type AccountSums = Owed & { userId: string; entries: number }

/** Sums of the unpaid entries of each account, or of one, by status, cents. In the sequence of the accounts' ids. */
export async function unpaidSums(
  db: Kysely<Database>,
  { holdMs, userId }: { holdMs: number; userId?: string },
): Promise<AccountSums[]> {
  const accounts = new Map<string, AccountSums>()
  let after: Place | null = START
  while (after) {
    const part = await sumsBehind(db, { holdMs, userId, after })
    for (const sums of part.sums) {
      const before = accounts.get(sums.userId)
      accounts.set(sums.userId, before ? added(before, sums) : sums)
    }
    after = part.next
  }
  return [...accounts.values()]
}

/** The sums of the first lines behind a place; `next` is null when there are no more. */
async function sumsBehind(
  db: Kysely<Database>,
  shares: { holdMs: number; userId?: string; after: Place },
): Promise<{ sums: AccountSums[]; next: Place | null }> {
  const { rows } = await sql<AccountSums & Part>`
    with ${sharesWithStatus(shares)}
    select user_id, sum(entries)::int as entries, ${part},
      coalesce(sum(net) filter (where status = 'due'), 0)::bigint as due_cents,
      coalesce(sum(net) filter (where status = 'waiting'), 0)::bigint as waiting_cents,
      coalesce(sum(net) filter (where status = 'held_back'), 0)::bigint as held_back_cents,
      coalesce(array_agg(distinct held_because) filter (where status = 'held_back'), '{}') as held_because
    from share_with_status group by user_id order by user_id`.execute(db)
  const last = rows.at(-1)
  const next = last?.lines === LINES_AT_ONCE ? { userId: last.userId, lineId: last.lastLineId! } : null
  return { sums: rows.map(({ lines: _lines, lastLineId: _last, ...sums }) => sums), next }
}

const added = (one: AccountSums, other: AccountSums): AccountSums => ({
  userId: one.userId,
  entries: one.entries + other.entries,
  dueCents: one.dueCents + other.dueCents,
  waitingCents: one.waitingCents + other.waitingCents,
  heldBackCents: one.heldBackCents + other.heldBackCents,
  heldBecause: [...new Set([...one.heldBecause, ...other.heldBecause])].sort(),
})

/** How many lines one statement read, and the last of them. */
type Part = { lines: number; lastLineId: string | null }

const part = sql`(select count(*)::int from share) as lines,
  (select line_id from share order by user_id desc, line_id desc limit 1) as last_line_id`

/** Marks all due entries of an account as paid by a payout, part by part, and returns their sum, cents. */
export async function markDuePaid(
  trx: Transaction<Database>,
  { payoutId, userId, holdMs }: { payoutId: string; userId: string; holdMs: number },
): Promise<number> {
  let paidCents = 0
  let after: Place | null = { userId, lineId: START.lineId }
  while (after) {
    const { cents, lines, lastLineId } = await markPartPaid(trx, { payoutId, userId, holdMs, after })
    paidCents += cents
    after = lines === LINES_AT_ONCE ? { userId, lineId: lastLineId! } : null
  }
  return paidCents
}

async function markPartPaid(
  trx: Transaction<Database>,
  { payoutId, ...shares }: { payoutId: string; userId: string; holdMs: number; after: Place },
): Promise<Part & { cents: number }> {
  const { rows } = await sql<Part & { cents: number }>`
    with ${sharesWithStatus(shares)}, paid as (
      update book_entry e set payout_id = ${payoutId} from share_with_status s
      where s.status = 'due' and e.line_id = s.line_id and e.user_id = ${shares.userId} and e.payout_id is null
      returning e.amount_cents)
    select coalesce(sum(amount_cents), 0)::bigint as cents, ${part} from paid`.execute(trx)
  return rows[0]!
}

/** Makes the entries that a payout paid unpaid again, part by part. */
export async function markUnpaid(trx: Transaction<Database>, payoutId: string) {
  for (let isDone = false; !isDone; ) {
    const { numAffectedRows } = await sql`
      update book_entry set payout_id = null where id in (
        select id from book_entry where payout_id = ${payoutId} limit ${sql.lit(LINES_AT_ONCE)})`.execute(trx)
    isDone = Number(numAffectedRows) < LINES_AT_ONCE
  }
}
