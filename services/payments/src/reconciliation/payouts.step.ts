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
    with compared as (select * from payout where id = any(${ids}::uuid[])), paid as (
      -- Once over the entries of these accounts, of which one may have many payouts.
      select payout_id, user_id, sum(amount_cents)::bigint as cents from book_entry
      where user_id in (select user_id from compared) and payout_id = any(${ids}::uuid[]) group by payout_id, user_id
    )
    select id, kept_cents as amount_cents, coalesce(paid.cents, 0)::bigint as paid_cents
    from compared left join paid on paid.payout_id = id and paid.user_id = compared.user_id, lateral (
      select case when exists (select from payout_return where payout_id = compared.id) then 0
        else compared.amount_cents end as kept_cents) as kept
    where kept_cents <> coalesce(paid.cents, 0)`.execute(trx)
  return rows.map(({ id, amountCents, paidCents }) => ({
    kind: 'payout',
    subject: id,
    orderId: null,
    intentId: null,
    detail: `payout of ${amountCents}, its book entries are ${paidCents}`,
  }))
}
