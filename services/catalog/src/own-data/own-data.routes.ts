import { announceExport } from '@nifty/api/auth/internal'
import { exportWorks } from '@nifty/api/own-data'
import { readOwnData, type Section, securityEventsOf } from '@nifty/service-kit/database/own-data'
import { registerOwnDataExport } from '@nifty/service-kit/http/own-data.routes'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** Export of the caller's own data. */
export const ownDataRoutes: FastifyPluginAsync<Deps> = async (app, { db, auth }) => {
  registerRoute(app, exportWorks, async (request) => {
    const { userId } = callerOf(request)
    await auth(announceExport, { params: { id: userId } })
    return readOwnData(db, sectionsOf(userId), request.query.after)
  })
}

/** For operators; only on the internal port. */
export const ownDataOpsRoutes: FastifyPluginAsync<Pick<Deps, 'db'>> = async (app, { db }) =>
  registerOwnDataExport(app, db, sectionsOf)

const sectionsOf = (userId: string): Section[] => [
  {
    kind: 'work',
    query: sql`
      select id::text as key, id, contract, identifier, name, description, category, image, width, height, color,
        royalty_bps, minted_at, creator_id = ${userId} as is_creator, owner_id is not distinct from ${userId} as is_owner,
        case when owner_id = ${userId} then price_cents end as price_cents,
        case when owner_id = ${userId} then for_sale end as for_sale,
        case when owner_id = ${userId} then listed_at end as listed_at
      from item where owner_id = ${userId} or creator_id = ${userId}`,
  },
  {
    kind: 'work_history',
    query: sql`
      select lpad(id::text, 19, '0') as key, item_id, what, happened_at, price_cents, tx_hash, custody
      from item_history where user_id = ${userId}`,
  },
  {
    kind: 'offer',
    query: sql`
      select order_id::text as key, order_id, item_id, buyer_id = ${userId} as is_buyer, price_cents, days, state, why,
        started_at, ends_at, ended_at, case when buyer_id = ${userId} then wallet end as wallet
      from offer where buyer_id = ${userId} or (owner_id = ${userId} and ends_at is not null)`,
  },
  {
    kind: 'auction',
    query: sql`
      select id::text as key, id, item_id, opening_cents, hours, created_at, starts_at, ends_at, latest_end_at, state, why,
        price_cents, bids, ended_at
      from auction where seller_id = ${userId}`,
  },
  {
    kind: 'bid',
    query: sql`
      select order_id::text as key, order_id, auction_id, item_id, limit_cents, bid.state, bid.why, started_at,
        coalesce(placed_at, stood_at) as stood_at, bid.price_cents, withdrawn, wallet
      from bid join auction on auction.id = auction_id where bidder_id = ${userId}`,
  },
  {
    kind: 'favourite',
    query: sql`select item_id::text as key, item_id, created_at from favourite where user_id = ${userId}`,
  },
  {
    kind: 'follow',
    query: sql`select artist_id::text as key, artist_id, created_at from follow where user_id = ${userId}`,
  },
  {
    kind: 'series',
    query: sql`
      select id::text as key, slug, title, description, created_at,
        array(select item_id from exhibition_item where exhibition_id = exhibition.id order by position) as item_ids
      from exhibition where artist_id = ${userId}`,
  },
  {
    kind: 'card',
    query: sql`select card as key, card as sha256_of_fingerprint from account_card where user_id = ${userId}`,
  },
  securityEventsOf(userId),
]
