import { TOKEN_LIFE_S } from '@nifty/service-kit/http/token'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { SessionClient } from './session.client.ts'

export async function insertSession(
  trx: Transaction<Database>,
  session: { id: string; accountId: string } & SessionClient,
) {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${TOKEN_LIFE_S})`
  await trx
    .insertInto('session')
    .values({ ...session, expiresAt, endedAt: null })
    .execute()
}

/** True while the session is not ended and its account is not deleted, being deleted, suspended or frozen. */
export async function isActiveSession(db: Kysely<Database>, { id, accountId }: { id: string; accountId: string }) {
  const { rows } = await sql`
    select from session join account on account.id = session.account_id
    where session.id = ${id} and account.id = ${accountId}
      and ended_at is null and deleted_at is null and deletion_requested_at is null and suspended_at is null
      and frozen_at is null`.execute(db)
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

/** Ends all sessions of an account, but for `exceptId` where it is given. */
export async function endSessionsOf(trx: Transaction<Database>, accountId: string, exceptId?: string) {
  await trx
    .updateTable('session')
    .set({ endedAt: sql`now()` })
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .$if(exceptId !== undefined, (update) => update.where('id', '!=', exceptId!))
    .execute()
}

/** The newest sessions of an account whose tokens are accepted, at most `limit`. */
export const findSessionsOf = (db: Kysely<Database>, accountId: string, limit: number) =>
  db
    .selectFrom('session')
    .select(['id', 'browser', 'network', 'createdAt'])
    .where('accountId', '=', accountId)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute()

export async function isSessionOf(db: Kysely<Database>, { id, accountId }: { id: string; accountId: string }) {
  const found = await db
    .selectFrom('session')
    .select('id')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return found !== undefined
}

/** Ends the oldest sessions of an account beyond `live`. The caller holds the account's row lock. */
export async function endOldestSessions(trx: Transaction<Database>, accountId: string, live: number) {
  await sql`
    update session set ended_at = now() where id in (
      select id from session where account_id = ${accountId} and ended_at is null and expires_at > now()
      order by created_at desc, id offset ${live})`.execute(trx)
}

/**
 * Ended sessions whose tokens have not expired yet; 15 minutes allow for clock skew. With `since`, the `cursor` of an
 * earlier reading, those that were not visible then, and perhaps some that were. A cursor is the oldest transaction
 * that may still be open: whatever older ones ended has been read. All for a cursor of another database cluster.
 */
export async function listEndedSessions(db: Kysely<Database>, since = '0') {
  const { rows } = await sql<{ cursor: string; isOfCluster: boolean }>`
    select pg_snapshot_xmin(snapshot)::text as cursor, ${since}::xid8 <= pg_snapshot_xmax(snapshot) as is_of_cluster
    from pg_current_snapshot() as snapshot`.execute(db)
  const { cursor, isOfCluster } = rows[0]!
  const { rows: ended } = await sql<{ id: string }>`
    select id from session where ended_at is not null and ended_xact >= ${isOfCluster ? since : '0'}::xid8
      and expires_at > now() - interval '15 minutes'`.execute(db)
  return { endedSessions: ended.map(({ id }) => id), cursor }
}
