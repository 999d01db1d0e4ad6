import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/** Deletes addresses that were not confirmed within 30 days: anyone can enter those of others. */
export async function deleteUnconfirmed(db: Kysely<Database>) {
  await sql`delete from subscriber where confirmed_at is null and requested_at < now() - interval '30 days'`.execute(db)
}

/**
 * An address of the newsletter: a subscription (`confirmedAt`), or an account with the newsletter in its settings
 * (`ofAccount`).
 */
export type NewsAddress = { email: string; id: string; confirmedAt: Date | null; ofAccount: boolean }

/** Lower-case addresses after `after`, in alphabetical order; an address with both is listed as a subscription. */
export async function findNewsAddresses(
  db: Kysely<Database>,
  { after, limit }: { after: string; limit: number },
): Promise<NewsAddress[]> {
  const { rows } = await sql<NewsAddress>`
    select distinct on (email collate "C") * from (
      select email, id, confirmed_at, false as of_account from subscriber
      where confirmed_at is not null and email collate "C" > ${after}
        and not exists (
          select from recipient
          where lower(recipient.email) = subscriber.email and refuses_news and deleted_at is null
        )
      union all
      select lower(email), user_id, null, true from recipient
      where wants_news and deleted_at is null and lower(email) collate "C" > ${after}
    ) address
    order by email collate "C", of_account limit ${limit}`.execute(db)
  return rows
}
