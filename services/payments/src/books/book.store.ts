import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { type Balances, type EntryCause, type EntryKind, noBalances } from './book.ts'

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

/** `paid`, or what happens to it at the next payout: `due`, `waiting` (hold-back period) or `held_back`. */
export type EntryStatus = 'paid' | 'due' | 'waiting' | 'held_back'

export type HeldBecause = 'refunded' | 'disputed' | 'refund_pending' | 'not_assigned' | 'inquiry' | 'fraud_warning'

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

type Selection = {
  /** Of this account only. */
  userId?: string
  unpaidOnly?: boolean
  /** `YYYY-MM`, UTC. */
  month?: string
}

/**
 * Entries of accounts with their status. Shares of a line are due `holdMs` after it was booked, and not while
 * it is refunded or disputed, a refund of it is under way, a part of its order's refund is not assigned, or a bank
 * inquires about it or warned of fraud. What a line owes back after a payout is due at once: a negative balance is
 * carried.
 */
function entriesWithStatus(holdMs: number, { userId, unpaidOnly, month }: Selection) {
  const conditions = [sql`e.user_id is not null`]
  if (userId) conditions.push(sql`e.user_id = ${userId}`)
  if (unpaidOnly) conditions.push(sql`e.payout_id is null`)
  if (month) {
    const start = sql`${`${month}-01`}::timestamp`
    conditions.push(
      sql`e.at >= ${start} at time zone 'UTC' and e.at < (${start} + interval '1 month') at time zone 'UTC'`,
    )
  }
  return sql`
  with entry as (
    select e.*, (select sum(amount_cents) from book_entry u
      where u.user_id = e.user_id and u.line_id = e.line_id and u.payout_id is null) as net
    from book_entry e where ${sql.join(conditions, sql` and `)}
  ), opening as (
    select line_id, min(at) + make_interval(secs => ${holdMs / 1000}::float8) as due_at,
      coalesce(sum(amount_cents) filter (where kind = 'commission'), 0)::int as commission_cents,
      coalesce(sum(amount_cents) filter (where kind = 'royalty'), 0)::int as royalty_cents
    from book_entry where cause in ('capture', 'write_off') and line_id in (select line_id from entry) group by line_id
  ), entry_with_status as (
    select e.id, e.user_id, e.line_id, l.item_id, l.name, e.at, e.kind, e.cause, e.amount_cents, l.price_cents,
      o.commission_cents, o.royalty_cents, o.due_at, p.at as paid_out_at,
      case
        when e.payout_id is not null then 'paid'
        when e.net < 0 then 'due'
        when held.reason is not null then 'held_back'
        when o.due_at > now() then 'waiting'
        else 'due'
      end as status,
      case when e.payout_id is null and e.net >= 0 then held.reason end as held_because
    from entry e
    join opening o using (line_id)
    join line l on l.id = e.line_id
    left join payout p on p.id = e.payout_id
    cross join lateral (
      select case
        when l.state not in ('completed', 'written_off') then l.state
        when exists (select from refund r where r.line_id = l.id and r.state = 'requested') then 'refund_pending'
        else (select
          case when r.ambiguous then 'not_assigned' when r.kind = 'refund' then 'refund_pending'
            when r.kind = 'dispute' then 'inquiry' else r.kind end
          from reversal r where r.order_id = l.order_id and (
            r.ambiguous
            or r.kind = 'refund' and r.status in ('pending', 'requires_action')
            or (r.line_ids is null or l.id = any(r.line_ids)) and (
              r.kind = 'fraud_warning' and r.cleared is null
              or r.kind = 'dispute' and r.status in ('warning_needs_response', 'warning_under_review')
                and r.cleared is null))
          limit 1)
      end as reason) held
  )`
}

/** Entries of one account, newest first: all unpaid ones, or those of a month. */
export async function accountEntries(
  db: Kysely<Database>,
  { holdMs, ...selection }: Selection & { holdMs: number; userId: string },
): Promise<AccountEntry[]> {
  const query = entriesWithStatus(holdMs, selection)
  const { rows } = await sql<AccountEntry>`${query} select * from entry_with_status order by at desc, id desc`.execute(
    db,
  )
  return rows
}

/** The months with entries of an account, `YYYY-MM` in UTC, newest first. */
export async function bookedMonths(db: Kysely<Database>, userId: string): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select distinct to_char(at at time zone 'UTC', 'YYYY-MM') as month from book_entry
    where user_id = ${userId} order by month desc`.execute(db)
  return rows.map(({ month }) => month)
}

/** Sums of the unpaid entries of each account, or of one, by status, cents. */
export async function unpaidSums(
  db: Kysely<Database>,
  { holdMs, userId }: { holdMs: number; userId?: string },
): Promise<(Owed & { userId: string; entries: number })[]> {
  const { rows } = await sql<Owed & { userId: string; entries: number }>`
    ${entriesWithStatus(holdMs, { userId, unpaidOnly: true })}
    select user_id, count(*)::int as entries,
      coalesce(sum(amount_cents) filter (where status = 'due'), 0)::bigint as due_cents,
      coalesce(sum(amount_cents) filter (where status = 'waiting'), 0)::bigint as waiting_cents,
      coalesce(sum(amount_cents) filter (where status = 'held_back'), 0)::bigint as held_back_cents,
      coalesce(array_agg(distinct held_because) filter (where held_because is not null), '{}') as held_because
    from entry_with_status group by user_id
    having count(*) filter (where amount_cents <> 0) > 0 order by user_id`.execute(db)
  return rows
}
