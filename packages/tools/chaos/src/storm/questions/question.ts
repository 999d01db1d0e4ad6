import type { Row, World } from '../world.ts'

/** What a question found: each wrong thing, with the id of what it is about where there is one. */
export type Finding = { about?: string; what: string }

/**
 * One question about a store at rest. It examines `rows` rows: a question without any proves nothing, and
 * fails.
 */
export type Question = { name: string; ask: (world: World) => { rows: number; wrong: Finding[] } }

/** A question about each of some rows: `wrong` is undefined for a row as it should be. */
export const each = <Subject>(
  name: string,
  rowsOf: (world: World) => Subject[],
  check: (row: Subject, world: World) => Finding | string | undefined,
): Question => ({
  name,
  ask: (world) => {
    const rows = rowsOf(world)
    const wrong = rows.flatMap((row) => {
      const found = check(row, world)
      if (found === undefined) return []
      return [typeof found === 'string' ? { what: found, about: aboutOf(row) } : found]
    })
    return { rows: rows.length, wrong }
  },
})

const aboutOf = (row: unknown) => {
  const { id, line_id } = row as Row
  return (line_id ?? id) as string | undefined
}

export const cents = (euros: number | null) => Math.round((euros ?? 0) * 100)

/** Lines whose token the buyer got. */
export const arrived = ['delivered', 'capture_due', 'completed', 'refunded', 'disputed', 'written_off']
export const terminal = ['completed', 'released', 'refunded', 'disputed', 'written_off']

export const linesOf = ({ databases }: World) => databases.payments.line!
export const ordersOf = ({ databases }: World) => databases.payments.orders!
export const orderById = (world: World) => new Map(ordersOf(world).map((order) => [order.id as string, order]))
export const linesByOrder = (world: World) => Map.groupBy(linesOf(world), (line) => line.order_id as string)
export const sum = (rows: Row[], column: string) => rows.reduce((total, row) => total + Number(row[column]), 0)
