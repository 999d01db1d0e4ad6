import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/messages'
import type { Kysely } from 'kysely'
import { registerRoute } from '../http/routes.ts'
import { unpublishedEvents } from './outbox.ts'
import { listParked, replayParked } from './parked.ts'
import type { MessagingTables } from './tables.ts'

/** For the operator's commands, in every service; only on the internal port. */
export const parkedRoutes: FastifyPluginAsyncTypebox<{ db: Kysely<MessagingTables> }> = async (app, { db }) => {
  registerRoute(app, api.listMessages, async () => {
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

  registerRoute(app, api.replayMessages, async ({ body }) => ({
    messages: await db.transaction().execute((trx) => replayParked(trx, body)),
  }))
}
