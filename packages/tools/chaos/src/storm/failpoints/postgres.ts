import pg from 'pg'
import type { Failpoints } from './failpoint.ts'

/** A table is named by these only if the transaction writes no other. */
const plumbing = new Set(['inbox', 'outbox', 'retry_message', 'audit_log'])
/** A statement that writes, also one that begins with a common table expression. */
const written = /^\s*(?:with\s[\s\S]*?\(\s*)?(insert|update|delete)\s+(?:into\s+|from\s+)?"?([a-z_]+)"?/i
const LOST_REPLIES = 0.004

/** The verb and the table of a statement that writes. */
export const writeOf = (text: string) => written.exec(text)?.slice(1) ?? []

type Query = (...args: unknown[]) => Promise<unknown>
type Client = pg.Client & { connection: { stream: { destroy: () => void } } }

/**
 * Points before and after each commit, named by the table that the transaction writes, and at writes outside of
 * transactions. Some replies of COMMIT are lost: committed, and the connection breaks.
 */
export function wrapPostgres({ hit, random, active, journal, program, start }: Failpoints) {
  const real = pg.Client.prototype.query as unknown as Query
  const open = new WeakMap<pg.Client, string[]>()

  async function commit(client: Client, args: unknown[], tables: string[]) {
    const point = `commit ${tables.find((table) => !plumbing.has(table)) ?? tables[0]}`
    hit(`${point}, before`)
    const result = await real.apply(client, args)
    hit(`${point}, after`)
    if (!random.chance(LOST_REPLIES) || !active()) return result
    journal.write({ actor: 'failpoints', what: 'commit reply lost', program, start, point })
    client.connection.stream.destroy()
    throw new Error('Connection terminated unexpectedly')
  }

  async function write(client: pg.Client, args: unknown[], point: string) {
    hit(`${point}, before`)
    const result = await real.apply(client, args)
    hit(`${point}, after`)
    return result
  }

  function query(this: Client, ...args: unknown[]) {
    const [first] = args
    const text = typeof first === 'string' ? first : (first as { text?: string }).text
    if (text === undefined || typeof args.at(-1) === 'function') return real.apply(this, args)
    if (/^\s*(begin|start transaction)/i.test(text)) open.set(this, [])
    const tables = open.get(this)
    const [verb, table] = writeOf(text)
    if (/^\s*(commit|rollback)\s*;?\s*$/i.test(text)) open.delete(this)
    if (tables && tables.length > 0 && /^\s*commit/i.test(text)) return commit(this, args, tables)
    if (table && tables) tables.push(table)
    if (table && !tables) return write(this, args, `${verb!.toLowerCase()} ${table}`)
    return real.apply(this, args)
  }
  pg.Client.prototype.query = query as never
}
