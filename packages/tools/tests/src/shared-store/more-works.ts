import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getMarket } from '@nifty/api/catalog/public'
import { demoDataset } from '@nifty/demo-data/dataset'
import { databaseUrl } from '@nifty/service-kit/database/database'
import { accountsOf, createApiClient } from '@nifty/testkit/api-client'
import type { Store } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import pg from 'pg'

/**
 * Adds works of the demo to a store that has the first `seeded` ones: accepted mints, copied from the first work of
 * their artist with its picture, so that no image is decoded. Every fourth one is of a creator whom tests log in as:
 * `workAndOwner` takes works of these alone. The store mints and lists them as any other; resolves when the market has
 * all of them.
 */
export async function addWorks({ folder, run }: Pick<Store, 'folder' | 'run'>, seeded: number, count: number) {
  const { works } = demoDataset()
  const pictures = new Map(works.slice(0, seeded).map(({ creator, title }) => [creator, title]))
  const known = accountsOf(run, 'creator').map(({ username }) => username.replace('@', ''))
  const creatorOf = (place: number, creator: string) =>
    place % 4 === 3 ? known[(place >> 2) % known.length]! : creator
  const added = works
    .slice(seeded)
    .filter(({ creator }) => pictures.has(creator))
    .slice(0, count)
    .map(({ title, text, category, creator, priceCents, forSale }, place) => ({
      name: title,
      description: text,
      category,
      price_cents: forSale ? priceCents : null,
      copied: pictures.get(creatorOf(place, creator)),
    }))
  const { postgresUrl } = JSON.parse(await readFile(join(folder, 'operator.json'), 'utf8')).local
  const db = new pg.Client({ connectionString: databaseUrl(postgresUrl, 'minting') })
  await db.connect()
  await db.query(
    `insert into mint (id, creator_id, request_hash, name, description, category, price_cents, file, width, height, color,
       sha256, royalty_bps, royalty_wallet, contract)
     select gen_random_uuid(), mint.creator_id, mint.request_hash, added.name, added.description, added.category,
       added.price_cents, mint.file, mint.width, mint.height, mint.color, mint.sha256, mint.royalty_bps,
       mint.royalty_wallet, mint.contract
     from json_to_recordset($1) added (name text, description text, category text, price_cents int, copied text)
     join mint on mint.name = added.copied`,
    [JSON.stringify(added)],
  )
  await db.end()
  const client = createApiClient(run)
  const total = async () => (await client.send(getMarket, { query: { page: '1', limit: '1' } })).body.total
  await waitUntil(async () => (await total()) === seeded + count)
}
