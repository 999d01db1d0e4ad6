import { type RawBuilder, sql } from 'kysely'

export type Sql = RawBuilder<unknown>

/**
 * Which items take part, and their order: `order by` without a search, and its columns. A visitor chose the order (`sorted`), a
 * filter that few works may pass (`filtered`), one that compares with a value (`byValue`).
 */
export type Selection = { filter: Sql; order: Sql; columns: Sql; sorted: boolean; filtered: boolean; byValue: boolean }

/** Items and their texts. */
export const joined = sql`item join item_text on item_text.item_id = item.id`

/** `hits` may be more than `MAX_HITS`, `ids` are not: they are those of the first hits. */
export type Found = { hits: number; ids: Buffer | null }
