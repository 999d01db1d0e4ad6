import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/parked'
import type { Kysely } from 'kysely'
import { unpublishedEvents } from './outbox.ts'
import { listParked, replayParked } from './parked.ts'
import type { MessagingTables } from './tables.ts'

/** For the operator's commands, in every service; only on the internal port. */
export const parkedRoutes: FastifyPluginAsyncTypebox<{ db: Kysely<MessagingTables> }> = async (app, { db }) => {
  app.get('/internal/ops/parked', { schema: api.parked }, async () => {
    const { messages, ...counts } = await listParked(db)
    const { count, oldest } = await unpublishedEvents(db)
    return {
      ...counts,
      unsent: { count, oldest: oldest?.toISOString() ?? null },
      messages: messages.map(({ messageId, name, key, parkedAt, attempts, error, nextAttemptAt, givenUpAt }) => ({
        ...{ messageId, name, key, attempts, error },
        since: parkedAt.toISOString(),
        nextTryAt: givenUpAt ? null : nextAttemptAt.toISOString(),
        givenUpAt: givenUpAt?.toISOString() ?? null,
      })),
    }
  })

  app.post('/internal/ops/replay', { schema: api.replay }, async ({ body }) => ({
    messages: await db.transaction().execute((trx) => replayParked(trx, body)),
  }))
}
