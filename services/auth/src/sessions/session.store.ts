import { TOKEN_LIFE_S } from '@nifty/service-kit/http/token'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export async function insertSession(trx: Transaction<Database>, { id, accountId }: { id: string; accountId: string }) {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${TOKEN_LIFE_S})`
  await trx.insertInto('session').values({ id, accountId, expiresAt, endedAt: null }).execute()
}

/** True while the session is not ended and its account is not deleted, suspended or frozen. */
export async function isActiveSession(db: Kysely<Database>, { id, accountId }: { id: string; accountId: string }) {
  const { rows } = await sql`
    select from session join account on account.id = session.account_id
    where session.id = ${id} and account.id = ${accountId}
      and ended_at is null and deleted_at is null and suspended_at is null and frozen_at is null`.execute(db)
  return rows.length > 0
}

export async function endSession(trx: Transaction<Database>, id: string) {
  await trx
    .updateTable('session')
    .set({ endedAt: sql`now()` })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute()
}

export async function endSessionsOf(trx: Transaction<Database>, accountId: string) {
  await trx
    .updateTable('session')
    .set({ endedAt: sql`now()` })
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .execute()
}

/** Ended sessions whose tokens have not expired yet; 15 minutes allow for clock skew. */
export async function listEndedSessions(db: Kysely<Database>) {
  const sessions = await db
    .selectFrom('session')
    .select('id')
    .where('endedAt', 'is not', null)
    .where('expiresAt', '>', sql<Date>`now() - interval '15 minutes'`)
    .execute()
  return sessions.map(({ id }) => id)
}
