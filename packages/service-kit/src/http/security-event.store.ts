import { type Generated, type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { networkOf, siteOf } from './network.ts'

/** Part of every service's database. Append-only for a year, but for `count` in the first minute. */
export type SecurityEventTables = {
  securityEvent: {
    id: Generated<string>
    at: Generated<Date>
    kind: string
    outcome: string
    userId: string | null
    sessionId: string | null
    operator: string | null
    route: string
    address: string
    requestId: string
    /** Equal events within the minute that began with this one. */
    count: Generated<number>
  }
}
type Row = SecurityEventTables['securityEvent']
export type NewSecurityEvent = Insertable<Row>

/**
 * The row has this address, or of IPv6 another one of its site (`siteOf`): a client has more addresses there than a
 * disk has room for rows. Each condition names the column by which an index finds the newest rows, whose ids begin
 * with their time.
 */
function isFromSiteOf({ address, userId }: NewSecurityEvent) {
  const site = siteOf(networkOf(address))
  if (!userId || !site.includes(':')) return sql<boolean>`address = ${address}`
  return sql<boolean>`user_id = ${userId}::uuid and case when pg_input_is_valid(address, 'inet')
    then address::inet <<= ${`${site}::/48`}::inet else address = ${address} end`
}

/**
 * Stores the event, or counts it where an equal one of the same site is less than a minute old. Commands of operators
 * are stored each; their GET requests are counted, because a page repeats them while it is open.
 */
export async function insertSecurityEvent(db: Kysely<any>, event: NewSecurityEvent) {
  const { kind, outcome, userId, sessionId, operator, route, address, requestId } = event
  const isCounted = !operator || route.startsWith('GET ')
  await sql`
    with counted as (
      update security_event set count = count + 1 where id = (
        select id from security_event
        where ${isFromSiteOf(event)} and id > (select uuidv7(interval '-1 minute'))
          and kind = ${kind} and outcome = ${outcome} and route = ${route} and ${isCounted} and operator is not distinct from ${operator}::text
          and user_id is not distinct from ${userId}::uuid and session_id is not distinct from ${sessionId}::uuid
        order by id desc limit 1)
      returning id
    )
    insert into security_event (kind, outcome, user_id, session_id, operator, route, address, request_id)
    select ${kind}, ${outcome}, ${userId}::uuid, ${sessionId}::uuid, ${operator}, ${route}, ${address}, ${requestId}
    where not exists (select from counted)`.execute(db)
}

export type Filter = { user?: string; address?: string; kind?: string; since?: string }

/** Newest first, at most `limit`. */
export function findSecurityEvents(
  db: Kysely<any>,
  { user, address, kind, since }: Filter,
  limit: number,
): Promise<Selectable<Row>[]> {
  let query = (db as Kysely<SecurityEventTables>).selectFrom('securityEvent').selectAll()
  if (user) query = query.where('userId', '=', user)
  if (address) query = query.where('address', '=', address)
  if (kind) query = query.where('kind', '=', kind)
  if (since) query = query.where('at', '>=', new Date(since))
  return query.orderBy('id', 'desc').limit(limit).execute()
}

const BATCH = 10_000

/** Deletes one batch of events that are older than a year; true when there are more. */
export async function deleteOldSecurityEvents(db: Kysely<any>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from security_event where id in (
      select id from security_event where at < now() - interval '365 days' limit ${BATCH})`.execute(db)
  return numAffectedRows === BigInt(BATCH)
}
