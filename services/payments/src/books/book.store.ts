import { type Kysely, sql, type Transaction } from 'kysely'
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

/**
 * The unpaid shares of each account by line, or of one account, and `held_line` with the lines whose shares are held
 * back. Shares are due `holdMs` after the line was booked, and not while a refund of it is under way, a part of its
 * order's refund is not assigned, its bank contests it, or no operator has decided who bears a refund or a lost
 * dispute. What a line owes back after a payout is due at once: a negative balance is carried.
 */
const sharesWithStatus = (holdMs: number, userId?: string) => sql`
  share as (
    select user_id, line_id, sum(amount_cents)::bigint as net, count(*)::int as entries
    from book_entry
    where user_id is not null and payout_id is null ${userId ? sql`and user_id = ${userId}` : sql``}
    group by user_id, line_id
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

const holdPeriod = (holdMs: number) => sql`make_interval(secs => ${holdMs / 1000}::float8)`

type Selection = {
  holdMs: number
  userId: string
  unpaidOnly?: boolean
  /** `YYYY-MM`, UTC. */
  month?: string
}

/** Entries of one account, newest first: all unpaid ones, or those of a month. */
export async function accountEntries(
  db: Kysely<Database>,
  { holdMs, userId, unpaidOnly, month }: Selection,
): Promise<AccountEntry[]> {
  const start = sql`${`${month}-01`}::timestamp`
  const conditions = [
    sql`e.user_id = ${userId}`,
    ...(unpaidOnly ? [sql`e.payout_id is null`] : []),
    ...(month
      ? [sql`e.at >= ${start} at time zone 'UTC' and e.at < (${start} + interval '1 month') at time zone 'UTC'`]
      : []),
  ]
  const { rows } = await sql<AccountEntry>`
    with ${sharesWithStatus(holdMs, userId)}
    select e.id, e.user_id, e.line_id, l.item_id, l.name, e.at, e.kind, e.cause, e.amount_cents, l.price_cents,
      o.commission_cents, o.royalty_cents, o.at + ${holdPeriod(holdMs)} as due_at, p.at as paid_out_at,
      case when e.payout_id is null then s.status else 'paid' end as status,
      case when e.payout_id is null and s.status = 'held_back' then s.held_because end as held_because
    from book_entry e
    join line l on l.id = e.line_id
    cross join lateral (
      select min(at) as at,
        coalesce(sum(amount_cents) filter (where kind = 'commission'), 0)::int as commission_cents,
        coalesce(sum(amount_cents) filter (where kind = 'royalty'), 0)::int as royalty_cents
      from book_entry where line_id = e.line_id and cause in ('capture', 'write_off')) o
    left join share_with_status s on s.line_id = e.line_id
    left join payout p on p.id = e.payout_id
    where ${sql.join(conditions, sql` and `)}
    order by e.at desc, e.id desc`.execute(db)
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
    with ${sharesWithStatus(holdMs, userId)}
    select user_id, sum(entries)::int as entries,
      coalesce(sum(net) filter (where status = 'due'), 0)::bigint as due_cents,
      coalesce(sum(net) filter (where status = 'waiting'), 0)::bigint as waiting_cents,
      coalesce(sum(net) filter (where status = 'held_back'), 0)::bigint as held_back_cents,
      coalesce(array_agg(distinct held_because) filter (where status = 'held_back'), '{}') as held_because
    from share_with_status group by user_id order by user_id`.execute(db)
  return rows
}

/** Marks all due entries of an account as paid by a payout, and returns their sum, cents. */
export async function markDuePaid(
  trx: Transaction<Database>,
  { payoutId, userId, holdMs }: { payoutId: string; userId: string; holdMs: number },
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    with ${sharesWithStatus(holdMs, userId)}, paid as (
      update book_entry e set payout_id = ${payoutId} from share_with_status s
      where s.status = 'due' and e.line_id = s.line_id and e.user_id = ${userId} and e.payout_id is null
      returning e.amount_cents)
    select coalesce(sum(amount_cents), 0)::bigint as cents from paid`.execute(trx)
  return rows[0]!.cents
}
