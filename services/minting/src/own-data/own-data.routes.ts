import { announceExport } from '@nifty/api/auth/internal'
import { exportMints } from '@nifty/api/own-data'
import { readOwnData, type Section, securityEventsOf } from '@nifty/service-kit/database/own-data'
import { registerOwnDataExport } from '@nifty/service-kit/http/own-data.routes'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Deps } from '../deps.ts'

/** Export of the caller's own data. */
export const ownDataRoutes: FastifyPluginAsync<Deps> = async (app, { db, auth }) => {
  registerRoute(app, exportMints, async (request) => {
    const { userId } = callerOf(request)
    await auth(announceExport, { params: { id: userId } })
    return readOwnData(db, sectionsOf(userId), request.query.after)
  })
}

/** For operators; only on the internal port. */
export const ownDataOpsRoutes: FastifyPluginAsync<Pick<Deps, 'db'>> = async (app, { db }) =>
  registerOwnDataExport(app, db, sectionsOf)

/** Keys are sent in addresses, which may be logged: that of a link is a digest of its stored hash. */
const sectionsOf = (userId: string): Section[] => [
  {
    kind: 'mint',
    query: sql`
      select id::text as key, id, state, name, description, category, price_cents, '/uploads/nfts/' || file as image,
        width, height, color, wallet, royalty_bps, royalty_wallet, contract, identifier, tx_hash, failure, created_at
      from mint where creator_id = ${userId}`,
  },
  {
    kind: 'withdrawal',
    query: sql`
      select line_id::text as key, line_id as id, token, wallet, state, reason, tx_hash, created_at
      from delivery where kind = 'withdrawal' and buyer_id = ${userId}`,
  },
  {
    kind: 'gift',
    query: sql`
      select id::text as key, id, token, name, order_id, email, text, state, until, created_at
      from gift where giver_id = ${userId}`,
  },
  {
    kind: 'received_gift',
    query: sql`
      select id::text as key, id, token, name, text, state, created_at
      from gift where recipient_id = ${userId}`,
  },
  {
    kind: 'permit',
    query: sql`
      select token as key, token, wallet, deadline, created_at from permit where owner_id = ${userId}`,
  },
  {
    kind: 'certificate_link',
    query: sql`
      select encode(sha256(convert_to(secret_hash, 'UTF8')), 'hex') as key, token, ended, made_at
      from certificate_link where owner_id = ${userId}`,
  },
  securityEventsOf(userId),
]
