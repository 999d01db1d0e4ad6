import * as api from '@nifty/api/catalog/internal'
import { anyOf } from '@nifty/service-kit/database/database'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'

const PAGE_ROWS = 500

/** What payments compares with the owners on the chain. */
export const itemOwnerRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  const owners = db.selectFrom('item').select(['token', 'ownerId'])

  registerRoute(app, api.listItemOwners, async ({ query }) => {
    const items = await owners
      .where('token', '>', query.after ?? '')
      .orderBy('token')
      .limit(PAGE_ROWS)
      .execute()
    return { items, next: items.length < PAGE_ROWS ? null : items.at(-1)!.token }
  })

  registerRoute(app, api.findItemOwners, async ({ body }) => ({
    items: body.tokens.length === 0 ? [] : await owners.where('token', '=', anyOf(body.tokens)).execute(),
  }))
}
