import { sql } from 'kysely'
import type { ReconciliationStep } from './reconciliation-step.ts'

const PAGE_ROWS = 2_000

/** Requires that every order that was ever held is compared. */
export const allOrders: ReconciliationStep = async ({ trx, run }) => {
  const { rows } = await sql<{ id: string }>`
    with page as (
      select id from orders where money <> 'none' and (${run.cursor}::uuid is null or id > ${run.cursor}::uuid)
      order by id limit ${PAGE_ROWS} for no key update
    )
    update orders set unreconciled_changes = greatest(unreconciled_changes, 1)
    from page where orders.id = page.id returning orders.id`.execute(trx)
  const last = rows
    .map(({ id }) => id)
    .sort()
    .at(-1)
  return { cursor: rows.length < PAGE_ROWS ? null : last!, compared: rows.length }
}
