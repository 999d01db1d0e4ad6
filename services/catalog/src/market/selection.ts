import type { RawBuilder } from 'kysely'

export type Sql = RawBuilder<unknown>

/**
 * Which items take part, and their order: `order by` without a search, and its columns. A visitor chose the order
 * (`sorted`), a filter that few works may pass (`filtered`), one that compares with a value (`byValue`).
 */
export type Selection = { filter: Sql; order: Sql; columns: Sql; sorted: boolean; filtered: boolean; byValue: boolean }
