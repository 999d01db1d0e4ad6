import { OWN_DATA_PAGE, type OwnData } from '@nifty/api/own-data'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { invalidCursor } from '../base/errors.ts'

/**
 * One kind of records of an account: a query that names each column that leaves the store, and `key`, a text that is
 * unique among the records of this kind and by which they are ordered.
 */
export type Section = { kind: string; query: RawBuilder<unknown> }

/** The security events of an account in a service's own database, for the last section of its export. */
export const securityEventsOf = (userId: string): Section => ({
  kind: 'security_event',
  query: sql`
    select id::text as key, at, kind, outcome, route, case when operator is null then address end as address
    from security_event where user_id = ${userId}`,
})

/**
 * Reads one page of the sections, in their order. `after` is `next` of the page before. Throws 400 `invalid_cursor`.
 */
export async function readOwnData(db: Kysely<any>, sections: Section[], after?: string): Promise<OwnData> {
  const start = after === undefined ? { place: 0, key: '' } : parseCursor(sections, after)
  const records: OwnData['records'] = []
  for (const [place, { kind, query }] of sections.entries()) {
    if (place < start.place) continue
    const left = OWN_DATA_PAGE - records.length
    const from = place === start.place ? start.key : ''
    const { rows } = await sql<{ key: string } & Record<string, unknown>>`
      select * from (${query}) as section where key collate "C" > ${from} order by key collate "C"
      limit ${left}`.execute(db)
    records.push(...rows.map(({ key: _, ...data }) => ({ kind, data })))
    if (rows.length === left) return { records, next: `${kind}:${rows.at(-1)?.key ?? ''}` }
  }
  return { records, next: null }
}

function parseCursor(sections: Section[], after: string) {
  const [, kind, key] = /^([a-z_]+):([\w:./-]*)$/.exec(after) ?? []
  const place = sections.findIndex((section) => section.kind === kind)
  if (place < 0 || key === undefined) throw invalidCursor()
  return { place, key }
}
