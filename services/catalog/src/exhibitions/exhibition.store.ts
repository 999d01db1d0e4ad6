import type { Exhibition, Exhibitions, OwnSeries } from '@nifty/api/catalog/exhibitions'
import type { ListedExhibition } from '@nifty/api/catalog/ops'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { nftsByIds, type Shown } from '../items/nft.store.ts'
import { MAX_TOTAL, type Paging, rowsOf } from '../market/paging.ts'
import { type ExhibitionForm, today } from './exhibition.ts'

/** The protocol of sitemaps allows 50,000 addresses in one. */
const IN_SITEMAP = 40_000
const LISTED_FOR_OPERATORS = 500
/** Works that a card shows. */
const ON_CARD = 3

type Row = {
  id: string
  slug: string
  title: string
  description: string
  opensOn: string
  open: boolean
  artistId: string | null
  username: string | null
  firstName: string
  lastName: string
  avatar: string | null
}

const columns = (day: string) => sql`
  exhibition.id, slug, title, exhibition.description, opens_on::text as opens_on, opens_on <= ${day}::date as open, artist_id,
  account.username, account.first_name, account.last_name, account.avatar`

/** Series of suspended artists are not shown. */
const shown = sql`(artist_id is null or (account.username is not null and not account.suspended))`

const toExhibition = ({ slug, title, description, opensOn, open, artistId, ...artist }: Row) => ({
  slug,
  title,
  description,
  opensOn,
  open,
  artist:
    artistId === null
      ? null
      : {
          username: artist.username!,
          firstName: artist.firstName,
          lastName: artist.lastName,
          avatar: artist.avatar,
        },
})

export type ListQuery = { artist?: string; series: boolean }

/** Without those of suspended artists, and those whose works are all hidden. */
const listed = sql`
  from exhibition left join account on account.user_id = artist_id
  where ${shown} and exists (
    select from exhibition_item join item on item.id = item_id
    where exhibition_id = exhibition.id and item.hidden_at is null)`

/** Those that open later first, then the last opened. */
const newestFirst = sql`order by opens_on desc, exhibition.created_at desc, exhibition.id`

/** One page. `total` is capped at `MAX_TOTAL`. */
export async function findExhibitions(
  db: Kysely<Database>,
  { artist, series }: ListQuery,
  paging: Paging,
  show: Shown,
): Promise<Exhibitions> {
  const { offset, size } = rowsOf(paging)
  const name = artist && `@${artist.replace(/^@/, '')}`.toLowerCase()
  const of: RawBuilder<unknown> = name
    ? sql`lower(account.username) = ${name}`
    : series
      ? sql`artist_id is not null`
      : sql`artist_id is null`
  const { rows } = await sql<Row & { itemIds: string[] }>`
    select ${columns(today())}, array(
      select item_id from exhibition_item join item on item.id = item_id
      where exhibition_id = exhibition.id and item.hidden_at is null order by position) as item_ids
    ${listed} and ${of} ${newestFirst} limit ${size} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from (select ${listed} and ${of} limit ${MAX_TOTAL}) counted`.execute(db)
  const firstIds = ({ open, itemIds }: (typeof rows)[0]) => (open ? itemIds.slice(0, ON_CARD) : [])
  const nfts = new Map((await nftsByIds(db, [...new Set(rows.flatMap(firstIds))], show)).map((nft) => [nft._id, nft]))
  const exhibitions = rows.map(({ itemIds, ...row }) => ({
    ...toExhibition(row),
    works: itemIds.length,
    nfts: firstIds({ ...row, itemIds }).flatMap((id) => nfts.get(id) ?? []),
  }))
  return { exhibitions, total: counted.rows[0]!.total, ...paging }
}

/** Exhibitions and series. */
export async function findSlugsForSitemap(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`select slug ${listed} ${newestFirst} limit ${IN_SITEMAP}`.execute(db)
  return rows.map(({ slug }) => slug)
}

/** Undefined for an unknown address, and for the series of a suspended artist. */
export async function findExhibition(db: Kysely<Database>, slug: string, show: Shown): Promise<Exhibition | undefined> {
  const { rows } = await sql<Row>`
    select ${columns(today())} from exhibition left join account on account.user_id = artist_id
    where slug = ${slug} and ${shown}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const ids = row.open ? await findItemIds(db, row.id) : []
  return { ...toExhibition(row), nfts: await nftsByIds(db, ids, show) }
}

/** In their order, hidden ones included. */
async function findItemIds(db: Kysely<Database>, exhibitionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('exhibitionItem')
    .select('itemId')
    .where('exhibitionId', '=', exhibitionId)
    .orderBy('position')
    .execute()
  return rows.map(({ itemId }) => itemId)
}

async function saveItems(trx: Transaction<Database>, exhibitionId: string, itemIds: string[]) {
  await trx.deleteFrom('exhibitionItem').where('exhibitionId', '=', exhibitionId).execute()
  const rows = itemIds.map((itemId, index) => ({ exhibitionId, position: index + 1, itemId }))
  await trx.insertInto('exhibitionItem').values(rows).execute()
}

/** Makes or replaces an exhibition. Undefined when a series has this slug. */
export async function saveExhibition(
  trx: Transaction<Database>,
  { slug, title, description, opensOn, itemIds }: ExhibitionForm & { slug: string; opensOn: string },
): Promise<string | undefined> {
  const saved = await trx
    .insertInto('exhibition')
    .values({ slug, title, description, opensOn, artistId: null })
    .onConflict((conflict) =>
      conflict.column('slug').doUpdateSet({ title, description, opensOn }).where('exhibition.artistId', 'is', null),
    )
    .returning('id')
    .executeTakeFirst()
  if (saved) await saveItems(trx, saved.id, itemIds)
  return saved?.id
}

/** Removes an exhibition or a series. False for an unknown slug. */
export async function deleteExhibition(trx: Transaction<Database>, slug: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('exhibition').where('slug', '=', slug).executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

export async function findAllExhibitions(db: Kysely<Database>): Promise<ListedExhibition[]> {
  const { rows } = await sql<ListedExhibition>`
    select slug, title, opens_on::text as opens_on, account.username as artist,
      (select count(*)::int from exhibition_item where exhibition_id = exhibition.id) as works
    from exhibition left join account on account.user_id = artist_id
    order by artist_id is not null, opens_on desc, exhibition.created_at desc limit ${LISTED_FOR_OPERATORS}`.execute(db)
  return rows
}

/** The series of an artist, newest first. */
export async function findSeriesOf(db: Kysely<Database>, artistId: string, id?: string): Promise<OwnSeries[]> {
  const { rows } = await sql<Omit<OwnSeries, '_id'> & { id: string }>`
    select id, slug, title, description,
      array(select item_id from exhibition_item where exhibition_id = exhibition.id order by position) as item_ids
    from exhibition where artist_id = ${artistId} and (${id ?? null}::uuid is null or id = ${id ?? null})
    order by created_at desc, id`.execute(db)
  return rows.map(({ id, ...series }) => ({ _id: id, ...series }))
}

/** Waits for other changes of the artist's series, and counts them. */
export async function lockSeriesOf(trx: Transaction<Database>, artistId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('series ' || ${artistId}, 0))`.execute(trx)
  const { count } = await trx
    .selectFrom('exhibition')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('artistId', '=', artistId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The first free one of these slugs becomes its address. */
export async function insertSeries(
  trx: Transaction<Database>,
  artistId: string,
  { title, description, itemIds, slugs }: ExhibitionForm & { slugs: string[] },
): Promise<string> {
  for (const slug of slugs) {
    const inserted = await trx
      .insertInto('exhibition')
      .values({ slug, artistId, title, description, opensOn: today() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!inserted) continue
    await saveItems(trx, inserted.id, itemIds)
    return inserted.id
  }
  throw new Error(`all addresses of ${slugs[0]} are taken`)
}

/** False where the artist has no such series. */
export async function updateSeries(
  trx: Transaction<Database>,
  { id, artistId, title, description, itemIds }: ExhibitionForm & { id: string; artistId: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('exhibition')
    .set({ title, description })
    .where('id', '=', id)
    .where('artistId', '=', artistId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await saveItems(trx, id, itemIds)
  return true
}

/** False where the artist has no such series. */
export async function deleteSeries(trx: Transaction<Database>, { id, artistId }: { id: string; artistId: string }) {
  const { numDeletedRows } = await trx
    .deleteFrom('exhibition')
    .where('id', '=', id)
    .where('artistId', '=', artistId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}
