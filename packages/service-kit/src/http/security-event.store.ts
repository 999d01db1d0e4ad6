import { type Generated, type Insertable, type Kysely, type Selectable, sql } from 'kysely'

/** Part of every service's database (migrations/004-security-event.sql). Append-only for a year. */
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
  }
}
type Row = SecurityEventTables['securityEvent']
export type NewSecurityEvent = Insertable<Row>

export async function insertSecurityEvent(db: Kysely<any>, event: NewSecurityEvent) {
  await (db as Kysely<SecurityEventTables>).insertInto('securityEvent').values(event).execute()
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
