import { COUNTED_ATTEMPTS } from '@nifty/api/attempts'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

const LISTED = 50

/** `count` is the number of equal events or of attempts that the line stands for. */
type OwnEvent = {
  at: Date
  kind: string
  outcome: string
  address: string
  operator: string | null
  sessionId: string | null
  count: number
}

/**
 * The account's history, newest first: its newest 50 events, and a line for each kind of refused attempt without a
 * session, with what the newest was. A stranger can make any number of those, and they would hide the others.
 */
export async function findOwnEvents(db: Kysely<Database>, userId: string): Promise<OwnEvent[]> {
  const { rows } = await sql<OwnEvent>`
    (select at, kind, outcome, address, operator, session_id, count
     from security_event where user_id = ${userId} and (session_id is not null or outcome = 'ok')
     order by id desc limit ${LISTED})
    union all
    (select at, kind, outcome, address, operator, session_id, count from (
       select at, kind, outcome, address, operator, session_id, id, row_number() over (same order by id desc) as place,
         least(sum(count) over same, ${COUNTED_ATTEMPTS})::int as count
       from (select * from security_event where user_id = ${userId} and session_id is null and outcome <> 'ok'
             order by id desc limit ${COUNTED_ATTEMPTS}) as attempt
       window same as (partition by kind)) as attempt
     where place = 1)
    order by at desc`.execute(db)
  return rows
}
