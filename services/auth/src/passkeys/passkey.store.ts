import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export type Passkey = Selectable<Database['passkey']>

/** Oldest first. */
export const findPasskeysOf = (db: Kysely<Database>, accountId: string): Promise<Passkey[]> =>
  db.selectFrom('passkey').selectAll().where('accountId', '=', accountId).orderBy('id').execute()

export const findPasskeyByCredential = (db: Kysely<Database>, credentialId: string) =>
  db.selectFrom('passkey').selectAll().where('credentialId', '=', credentialId).executeTakeFirst()

/** Returns undefined, and stores nothing, when the credential is registered, by this or another account. */
export const insertPasskey = (
  trx: Transaction<Database>,
  passkey: Pick<Passkey, 'accountId' | 'credentialId' | 'publicKey' | 'counter' | 'name'>,
) =>
  trx
    .insertInto('passkey')
    .values({ ...passkey, lastUsedAt: null })
    .onConflict((conflict) => conflict.column('credentialId').doNothing())
    .returningAll()
    .executeTakeFirst()

export async function savePasskeyUse(trx: Transaction<Database>, id: string, counter: number) {
  await trx.updateTable('passkey').set({ counter, lastUsedAt: sql<Date>`now()` }).where('id', '=', id).execute()
}

type Own = Pick<Passkey, 'id' | 'accountId'>

export const savePasskeyName = (trx: Transaction<Database>, { id, accountId }: Own, name: string) =>
  trx
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .returningAll()
    .executeTakeFirst()

/** True if the account had it. */
export async function deletePasskey(trx: Transaction<Database>, { id, accountId }: Own) {
  const { numDeletedRows } = await trx
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Deletes what was added at `since` or later: not by the owner, who froze the account for a change at that time. */
export async function deletePasskeysSince(trx: Transaction<Database>, accountId: string, since: Date) {
  await trx.deleteFrom('passkey').where('accountId', '=', accountId).where('createdAt', '>=', since).execute()
}
