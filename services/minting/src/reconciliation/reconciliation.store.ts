import type { TokenOwner } from '@nifty/api/minting/internal'
import { invalid } from '@nifty/service-kit/base/errors'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

const PAGE_ROWS = 500
const AT_MOST = 1_000

/** With microseconds, which a cursor needs. */
const isoTime = sql`to_char(changed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const anyText = /^/

type Page = { since: string; after?: string }

/** Final sales in pages, by the time of their last change. */
export async function listFinalDeliveries(db: Kysely<Database>, page: Page) {
  const [at, lineId] = startOf(page, { least: '00000000-0000-0000-0000-000000000000', pattern: uuid })
  const { rows } = await sql<{ lineId: string; at: string }>`
    select line_id, ${isoTime} as at from delivery
    where kind = 'sale' and state = 'final' and (changed_at, line_id) > (${at}::timestamptz, ${lineId}::uuid)
    order by changed_at, line_id limit ${PAGE_ROWS}`.execute(db)
  return { lineIds: rows.map(({ lineId }) => lineId), next: endOf(rows.map(({ at, lineId }) => [at, lineId])) }
}

export async function checkFinalDeliveries(db: Kysely<Database>, lineIds: string[]): Promise<string[]> {
  if (lineIds.length === 0) return []
  const rows = await db
    .selectFrom('delivery')
    .select('lineId')
    .where('lineId', '=', anyOf(lineIds))
    .where('kind', '=', 'sale')
    .where('state', '=', 'final')
    .execute()
  return rows.map(({ lineId }) => lineId)
}

/**
 * Tokens in pages, by the time of their last change; also those whose mint was lost, because catalog may have their
 * item.
 */
export async function listTokenOwners(db: Kysely<Database>, page: Page) {
  const [at, after] = startOf(page, { least: '', pattern: anyText })
  const { rows } = await sql<TokenOwner & { at: string }>`
    select token, owner_id, ${isoTime} as at from token
    where (changed_at, token) > (${at}::timestamptz, ${after})
    order by changed_at, token limit ${PAGE_ROWS}`.execute(db)
  return {
    tokens: rows.map(({ token, ownerId }) => ({ token, ownerId })),
    next: endOf(rows.map(({ at, token }) => [at, token])),
  }
}

export async function findTokenOwners(
  db: Kysely<Database>,
  tokens: string[],
): Promise<(TokenOwner & { hasMint: boolean })[]> {
  if (tokens.length === 0) return []
  const rows = await db
    .selectFrom('token')
    .select(['token', 'ownerId', 'mintId'])
    .where('token', '=', anyOf(tokens))
    .execute()
  return rows.map(({ token, ownerId, mintId }) => ({ token, ownerId, hasMint: mintId !== null }))
}

/** Open unexpected deliveries, oldest first, and tokens without a mint. */
export async function listUnexpectedTokens(db: Kysely<Database>) {
  const deliveries = await db
    .selectFrom('unexpectedDelivery')
    .leftJoin('delivery', (join) => join.on(sql<boolean>`delivery.line_id = substr(line_key, 3, 32)::uuid`))
    .select(['lineKey', 'unexpectedDelivery.token', 'recipient', 'account', 'unexpectedDelivery.txHash', 'at'])
    .select('delivery.state')
    .where('closedAt', 'is', null)
    .orderBy('unexpectedDelivery.block')
    .orderBy('lineKey')
    .limit(AT_MOST)
    .execute()
  const unknown = await db
    .selectFrom('token')
    .select('token')
    .where('mintId', 'is', null)
    .orderBy('token')
    .limit(AT_MOST)
    .execute()
  return {
    deliveries: deliveries.map(({ at, ...delivery }) => ({ ...delivery, at: at.toISOString() })),
    tokens: unknown.map(({ token }) => token),
  }
}

/** A cursor is the time and the key of the last row. */
const endOf = (rows: [at: string, key: string][]) => (rows.length < PAGE_ROWS ? null : rows.at(-1)!.join('|'))

function startOf({ since, after }: Page, key: { least: string; pattern: RegExp }): [at: string, key: string] {
  const [at = '', last = ''] = after === undefined ? [since, key.least] : after.split('|', 2)
  if (!isTime(at) || !key.pattern.test(last)) throw invalid('invalid_cursor', 'Invalid cursor')
  return [at, last]
}

/** True for a time in UTC that both JavaScript and PostgreSQL have: no 30 February, no year 0, no other format. */
function isTime(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/.test(text)) return false
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 19) === text.slice(0, 19)
}
