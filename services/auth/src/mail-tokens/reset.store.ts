import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** A mail that has not left so many hours after its request is not sent any more. */
export const SENT_WITHIN_HOURS = 12
/** Minutes from the sending of the mail on. */
const LIFETIME_MINUTES = 60
/** Valid links of one account that were requested by one network. */
const VALID_LINKS = 3

export const insertResetRequest = (db: Kysely<Database>, request: { email: string; network: string }) =>
  db.insertInto('passwordResetRequest').values(request).execute()

/**
 * Whether a request waits. Locked ones are in work in other replicas: with them the worker would repeat without a
 * pause.
 */
export async function isResetRequested(db: Kysely<Database>): Promise<boolean> {
  const free = db.selectFrom('passwordResetRequest').select('id').limit(1).forUpdate().skipLocked()
  return (await free.executeTakeFirst()) !== undefined
}

/** Removes the oldest request from the queue. Replicas skip each other's locked rows. */
export async function dequeueResetRequest(trx: Transaction<Database>) {
  const { rows } = await sql<{ email: string; network: string }>`
    delete from password_reset_request where id = (
      select id from password_reset_request order by id limit 1 for update skip locked)
    returning email, network`.execute(trx)
  return rows[0]
}

/** Revokes all links. */
export async function revokeResets(trx: Transaction<Database>, accountId: string) {
  await trx.deleteFrom('passwordReset').where('accountId', '=', accountId).execute()
}

/**
 * Stores a link and keeps former ones, three at most of those that its network requested: other networks' requests
 * revoke none. Stores nothing for an id without account. `expiresAt` is the latest end; the mail's sending decides
 * before.
 */
export async function insertReset(
  trx: Transaction<Database>,
  { tokenHash, accountId, originKey }: { tokenHash: string; accountId: string; originKey: string },
) {
  await sql`
    delete from password_reset where token_hash in (
      select token_hash from password_reset
      where account_id = ${accountId} and origin_key = ${originKey} and used_at is null
      order by created_at desc offset ${VALID_LINKS - 1})`.execute(trx)
  await sql`
    insert into password_reset (token_hash, account_id, origin_key, expires_at)
    select ${tokenHash}, id, ${originKey},
      now() + make_interval(hours => ${SENT_WITHIN_HOURS}, mins => ${LIFETIME_MINUTES})
    from account where id = ${accountId}`.execute(trx)
}

/** A token and when the mail with it was sent; null when the link does not say it: not before it was requested. */
type SentReset = { tokenHash: string; sentAt: Date | null }

const usable = ({ tokenHash, sentAt }: SentReset) => sql<boolean>`token_hash = ${tokenHash} and used_at is null
  and expires_at > now() and coalesce(${sentAt}::timestamptz, created_at) > now() - make_interval(mins => ${LIFETIME_MINUTES})`

export const findReset = (db: Kysely<Database>, sent: SentReset) =>
  db.selectFrom('passwordReset').select('accountId').where(usable(sent)).executeTakeFirst()

/** True for the first use before the expiry. */
export async function consumeReset(trx: Transaction<Database>, sent: SentReset) {
  const { numUpdatedRows } = await trx
    .updateTable('passwordReset')
    .set({ usedAt: sql`now()` })
    .where(usable(sent))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
