import * as api from '@nifty/api/notification/notices'
import { toEuros } from '@nifty/api/shapes'
import { invalid } from '@nifty/service-kit/base/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { countUnread, findNotices, markRead, type StoredNotice } from './notice.store.ts'

export const noticeRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.listNotices, async (request) => {
    const { userId } = callerOf(request)
    const notices = await findNotices(db, userId, api.MAX_NOTICES)
    return { notices: notices.map(toNotice), unread: await countUnread(db, userId) }
  })

  registerRoute(app, api.readNotices, async (request) => {
    await markRead(db, { userId: callerOf(request).userId, upTo: timeOf(request.body) })
    return { success: true as const }
  })

  // With a path of its own: former pods ignore a work in the body of the other one, and mark all notices.
  registerRoute(app, api.readNoticesOfWork, async (request) => {
    const { contract, identifier } = request.body
    await markRead(db, {
      userId: callerOf(request).userId,
      upTo: timeOf(request.body),
      work: { contract, identifier },
    })
    return { success: true as const }
  })
}

/** The database has other limits for dates and time zones than the format of the request. */
function timeOf(body: { upTo: string }): Date {
  const upTo = new Date(body.upTo)
  if (Number.isNaN(upTo.getTime())) throw invalid('invalid_request', 'upTo is not a time')
  return upTo
}

const toNotice = ({ id, what, contract, identifier, name, artist, priceCents, at, readAt }: StoredNotice) => ({
  _id: id,
  what,
  contract,
  identifier,
  name,
  artist,
  price: priceCents === null ? null : toEuros(priceCents),
  at: at.toISOString(),
  read: readAt !== null,
})
