import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

const start = (month: string) => sql<Date>`(${month} || '-01')::timestamp at time zone 'UTC'`
const end = (month: string) => sql<Date>`((${month} || '-01')::timestamp + interval '1 month') at time zone 'UTC'`

const ofMonth = (db: Kysely<Database>, month: string) =>
  db.selectFrom('bookEntry').where('bookEntry.at', '>=', start(month)).where('bookEntry.at', '<', end(month))

/** Entries of a month in UTC, in the order of time, at most `limit`; with `after`, those after this entry. */
export function entriesOfMonth(
  db: Kysely<Database>,
  month: string,
  { after, limit }: { after: number | undefined; limit: number },
) {
  const query = ofMonth(db, month)
    .innerJoin('line', 'line.id', 'bookEntry.lineId')
    .select(['bookEntry.id', 'bookEntry.at', 'line.orderId', 'lineId', 'buyerId', 'contract', 'identifier'])
    .select((eb) => eb.fn.coalesce('name', sql<string>`''`).as('name'))
    .select(['sellerId', 'sellerUsername', 'creatorId', 'cause', 'reversalId', 'kind', 'amountCents'])
    .orderBy('bookEntry.at')
    .orderBy('bookEntry.id')
    .limit(limit)
  return after === undefined
    ? query.execute()
    : query
        .where(sql<boolean>`(book_entry.at, book_entry.id) > (select at, id from book_entry where id = ${after})`)
        .execute()
}

export const hasEntryInMonth = async (db: Kysely<Database>, month: string, id: number): Promise<boolean> =>
  (await ofMonth(db, month).select('id').where('id', '=', id).executeTakeFirst()) !== undefined
