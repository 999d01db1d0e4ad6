import { COUNTED_ATTEMPTS } from '@nifty/api/attempts'
import type { LogInAddress } from '@nifty/api/auth/ops'
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

type FailedLogIns = { addresses: LogInAddress[]; addressesInAll: number; accountsInAll: number }

/** Addresses whose log-ins failed since then, those with the most accounts first. */
export async function findFailedLogIns(db: Kysely<Database>, since: Date): Promise<FailedLogIns> {
  const { rows } = await sql<FailedLogIns>`
    with attempt as (
      select address, user_id, outcome = 'ok' as entered, count from security_event
      where at >= ${since} and kind = 'log_in' and user_id is not null),
    by_address as (
      select address, sum(count) filter (where not entered)::int as failed,
        count(distinct user_id) filter (where not entered)::int as accounts,
        (array_agg(distinct user_id) filter (where entered))[1:10] as entered
      from attempt group by address having bool_or(not entered)),
    most as (select * from by_address order by accounts desc, failed desc, address limit 100)
    select (select count(*)::int from by_address) as addresses_in_all,
      (select count(distinct user_id)::int from attempt where not entered) as accounts_in_all,
      (select coalesce(json_agg(json_build_object('address', address, 'failed', failed, 'accounts', accounts,
        'entered', coalesce(entered, '{}')) order by accounts desc, failed desc, address), '[]') from most) as addresses`.execute(
    db,
  )
  return rows[0]!
}
