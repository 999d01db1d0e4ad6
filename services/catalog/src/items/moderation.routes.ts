import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/internal'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { InternalDeps } from '../internal.ts'
import { hideItem, showItem } from './item.actions.ts'

/** What the operator does to an item. */
export const itemInternalRoutes: FastifyPluginAsyncTypebox<InternalDeps> = async (app, { db, market }) => {
  const change =
    (act: typeof hideItem) =>
    async ({ params, body }: { params: { id: string }; body: { by: string; why: string } }) => {
      await inTransaction(db, (trx) => act(trx, params.id, body))
      await market.look()
      return { success: true as const }
    }

  app.post('/internal/items/:id/hide', { schema: api.hideItem }, change(hideItem))
  app.post('/internal/items/:id/show', { schema: api.hideItem }, change(showItem))
}
