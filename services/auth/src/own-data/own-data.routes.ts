import { exportAccount } from '@nifty/api/own-data'
import { readOwnData, type Section, securityEventsOf } from '@nifty/service-kit/database/own-data'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerOwnDataExport } from '@nifty/service-kit/http/own-data.routes'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import { alertOwnerDaily } from '../accounts/account.actions.ts'
import type { Deps } from '../deps.ts'

/** Export of the caller's own data. */
export const ownDataRoutes: FastifyPluginAsync<Deps> = async (app, { db, config }) => {
  registerRoute(app, exportAccount, async (request) => {
    const { userId } = callerOf(request)
    await inTransaction(db, (trx) => alertOwnerDaily(trx, userId, 'data_exported', config.mailTokenKeys))
    return readOwnData(db, sectionsOf(userId), request.query.after)
  })
}

/** For operators; only on the internal port. */
export const ownDataOpsRoutes: FastifyPluginAsync<Pick<Deps, 'db'>> = async (app, { db }) =>
  registerOwnDataExport(app, db, sectionsOf)

const sectionsOf = (userId: string): Section[] => [
  {
    kind: 'account',
    query: sql`
      select id::text as key, username, email, pending_email, email_confirmed_at, first_name, last_name, former_name, occupation,
        description, phonenum, links, notifications, '/uploads/avatars/' || avatar as avatar, '/uploads/covers/' || cover as cover, wallet,
        wallet_proven, wallet_proven_at, admin, created_at
      from account where id = ${userId} and deleted_at is null`,
  },
  {
    kind: 'session',
    query: sql`
      select id::text as key, browser, network, created_at, expires_at, ended_at
      from session where account_id = ${userId}`,
  },
  {
    kind: 'second_factor',
    query: sql`
      select account_id::text as key, confirmed_at as on_since,
        (select count(*) from recovery_code where recovery_code.account_id = totp.account_id) as recovery_codes_left
      from totp where account_id = ${userId} and confirmed_at is not null`,
  },
  {
    kind: 'seller_application',
    query: sql`
      select id::text as key, links, message, state, answer, created_at, answered_at
      from seller_application where account_id = ${userId}`,
  },
  {
    kind: 'passkey',
    query: sql`
      select id::text as key, id, name, created_at, last_used_at from passkey where account_id = ${userId}`,
  },
  securityEventsOf(userId),
]
