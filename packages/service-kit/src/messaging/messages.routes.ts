import * as api from '@nifty/api/messages'
import type { FastifyPluginAsync } from 'fastify'
import type { Kysely } from 'kysely'
import { registerRoute } from '../http/routes.ts'
import { actionOf } from '../http/signed-requests.ts'
import { unpublishedEvents } from './outbox.ts'
import { isRepublishing, requestRepublication } from './republication.ts'
import { discardRetryMessage, listRetryMessages, replayRetryMessages } from './retry-queue.ts'
import type { MessagingTables } from './tables.ts'

/** For the operator's commands, in every service; only on the internal port. */
export const messageRoutes: FastifyPluginAsync<{ db: Kysely<MessagingTables> }> = async (app, { db }) => {
  registerRoute(app, api.listMessages, async () => {
    const { messages, ...counts } = await listRetryMessages(db)
    const { count, oldest } = await unpublishedEvents(db)
    return {
      ...counts,
      unpublished: { count, oldest: oldest?.toISOString() ?? null },
      republishing: await isRepublishing(db),
      messages: messages.map(({ queuedAt, nextAttemptAt, deadLetteredAt, ...message }) => ({
        messageId: message.messageId,
        name: message.name,
        key: message.key,
        attempts: message.attempts,
        error: message.error,
        unknownVersion: message.unknownVersion,
        since: queuedAt.toISOString(),
        nextAttemptAt: deadLetteredAt ? null : nextAttemptAt.toISOString(),
        deadLetteredAt: deadLetteredAt?.toISOString() ?? null,
      })),
    }
  })

  registerRoute(app, api.replayMessages, (request) =>
    db.transaction().execute((trx) => replayRetryMessages(trx, actionOf(request))),
  )

  registerRoute(app, api.discardMessage, async (request) => ({
    event: await db.transaction().execute((trx) => discardRetryMessage(trx, actionOf(request))),
  }))

  registerRoute(app, api.republishMessages, async (request) => ({
    messages: await db
      .transaction()
      .execute((trx) => requestRepublication(trx, { ...actionOf(request), since: new Date(request.body.since) })),
  }))
}
