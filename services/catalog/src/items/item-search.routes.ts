import * as api from '@nifty/api/catalog/item-search'
import { toEuros } from '@nifty/api/shapes'
import { invalidCursor } from '@nifty/service-kit/base/errors'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { inSnapshot } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'
import { findItem } from './item.store.ts'
import { itemNotFound } from './item.ts'
import { type FoundItem, findWorks } from './item-search.store.ts'
import { historyOf } from './nft-detail.store.ts'

const PAGE = 50

/** What operators find by what people see. */
export const itemSearchRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.searchItems, async ({ body }) => {
    if (body.after !== undefined && !(await findItem(db, body.after))) throw invalidCursor()
    const found = await inSnapshot(db, async (snapshot) => {
      // How many works match decides which index is read.
      await sql`set local plan_cache_mode = force_custom_plan`.execute(snapshot)
      return findWorks(snapshot, body, PAGE + 1)
    })
    const page = found.slice(0, PAGE)
    return { items: page.map(view), next: found.length > PAGE ? page.at(-1)!.id : null }
  })

  registerRoute(app, api.describeItem, async ({ params }) =>
    inSnapshot(db, async (snapshot) => {
      const [item] = await findWorks(snapshot, { search: params.id }, 1)
      if (!item) throw itemNotFound()
      const actions = await listOperatorActions(snapshot, [item.id])
      const hiding = item.hiddenBy === 'operator' ? actions.findLast(({ action }) => action === 'hide-item') : undefined
      return {
        item: view(item),
        description: item.description,
        wallet: item.wallet,
        listedAt: item.listedAt?.toISOString() ?? null,
        delistedAt: item.delistedAt?.toISOString() ?? null,
        reservation:
          item.reservedOrder === null
            ? null
            : {
                orderId: item.reservedOrder,
                buyerId: item.reservedBy,
                price: item.reservedCents === null ? null : toEuros(item.reservedCents),
                until: item.reservedUntil?.toISOString() ?? null,
              },
        hidden: hiding ? { operator: hiding.operator, reason: hiding.reason, at: hiding.at.toISOString() } : null,
        history: await historyOf(snapshot, item.id),
        actions: actions.map(({ action, operator, reason, at }) => ({
          action,
          operator,
          reason,
          at: at.toISOString(),
        })),
      }
    }),
  )
}

const view = (item: FoundItem): api.FoundItem => ({
  itemId: item.id,
  token: `${item.contract}/${item.identifier}`,
  name: item.name,
  image: item.image,
  creatorId: item.creatorId,
  creatorUsername: item.creatorUsername,
  ownerId: item.ownerId,
  ownerUsername: item.ownerUsername,
  price: item.priceCents === null ? null : toEuros(item.priceCents),
  forSale: item.forSale,
  onAuction: item.auctionId !== null && item.reservedOrder === null,
  reservedOrderId: item.reservedOrder,
  hiddenBy: item.hiddenBy,
  hiddenAt: item.hiddenAt?.toISOString() ?? null,
  featured: item.featured,
  mintedAt: item.mintedAt.toISOString(),
})
