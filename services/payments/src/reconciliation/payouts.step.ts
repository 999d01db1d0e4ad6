import { sql } from 'kysely'
import { saveDifferences } from './reconciliation.store.ts'
import type { Difference } from './reconciliation.ts'
import type { ReconciliationStep, StepContext } from './reconciliation-step.ts'

const PAGE_ROWS = 500

/** Compares each payout of the period with the book entries that it paid; a returned one has paid none. */
export const payouts: ReconciliationStep = async (context) => {
  const { trx, run } = context
  const page = await trx
    .selectFrom('payout')
    .select('id')
    .where('at', '>=', run.since)
    .$if(run.cursor !== null, (query) => query.where('id', '>', run.cursor!))
    .orderBy('id')
    .limit(PAGE_ROWS)
    .execute()
  await saveDifferences(
    trx,
    await payoutDifferences(
      context,
      page.map(({ id }) => id),
    ),
  )
  return { cursor: page.length < PAGE_ROWS ? null : page.at(-1)!.id, compared: page.length }
}

export async function payoutDifferences({ trx }: StepContext, ids: string[]): Promise<Difference[]> {
  const { rows } = await sql<{ id: string; amountCents: number; paidCents: number }>`
    select id, kept_cents as amount_cents, paid_cents from payout, lateral (
      select coalesce(sum(amount_cents), 0)::bigint as paid_cents from book_entry
      where payout_id = payout.id and book_entry.user_id = payout.user_id) as entries, lateral (
      select case when exists (select from payout_return where payout_id = payout.id) then 0
        else payout.amount_cents end as kept_cents) as kept
    where id = any(${ids}::uuid[]) and kept_cents <> paid_cents`.execute(trx)
  return rows.map(({ id, amountCents, paidCents }) => ({
    kind: 'payout',
    subject: id,
    orderId: null,
    intentId: null,
    detail: `payout of ${amountCents}, its book entries are ${paidCents}`,
  }))
}
