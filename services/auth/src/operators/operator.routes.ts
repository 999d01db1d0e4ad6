import { searchAccounts as searchAccountsEndpoint } from '@nifty/api/auth/account-search'
import * as api from '@nifty/api/auth/ops'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { describeSecurityEvent } from '@nifty/service-kit/http/security-event'
import { actionOf, hasRole } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { countSellers } from '../accounts/account.store.ts'
import { findWaitingApplications } from '../applications/application.store.ts'
import type { Deps } from '../deps.ts'
import { findFailedLogIns } from '../security-events/security-event.store.ts'
import {
  answerApplicationByHand,
  confirmEmailByHand,
  describeAccount,
  grantAdmin,
  reinstateAccount,
  removeSecondFactorByHand,
  revokeAdmin,
  searchAccounts,
  suspendAccount,
  unfreezeByHand,
  viewFound,
  viewPayee,
} from './operator.actions.ts'

const actions = [
  { endpoint: api.grantAdmin, act: grantAdmin },
  { endpoint: api.revokeAdmin, act: revokeAdmin },
  { endpoint: api.suspendAccount, act: suspendAccount },
  { endpoint: api.reinstateAccount, act: reinstateAccount },
  { endpoint: api.confirmEmail, act: confirmEmailByHand },
  { endpoint: api.unfreezeAccount, act: unfreezeByHand },
  { endpoint: api.removeSecondFactorOf, act: removeSecondFactorByHand },
]

/** Routes for `pnpm ops`. */
export const operatorRoutes: FastifyPluginAsync<Deps> = async (app, { db, config, sessionsEnded }) => {
  registerRoute(app, api.describeAccount, ({ body }) => describeAccount(db, body.account))
  registerRoute(app, searchAccountsEndpoint, (request) =>
    searchAccounts(db, request.body, hasRole(request, 'support') ? viewFound : viewPayee),
  )
  for (const { endpoint, act } of actions)
    registerRoute(app, endpoint, async (request) => {
      const { userId } = await inTransaction(db, (trx) => act(trx, actionOf(request), config))
      describeSecurityEvent(request, { userId })
      await sessionsEnded()
      return { success: true as const, userId }
    })

  registerRoute(app, api.answerSellerApplication, async (request) => {
    const { userId } = await inTransaction(db, (trx) => answerApplicationByHand(trx, actionOf(request)))
    describeSecurityEvent(request, { userId })
    await sessionsEnded()
    return { success: true as const, userId }
  })
  registerRoute(app, api.listFailedLogIns, ({ query }) => findFailedLogIns(db, new Date(query.since)))
  registerRoute(app, api.countSellers, async () => ({ sellers: await countSellers(db) }))
  registerRoute(app, api.listSellerApplications, async () => {
    const { applications, waiting } = await findWaitingApplications(db, 100)
    return {
      waiting,
      applications: applications.map(({ firstName, lastName, createdAt, ...application }) => ({
        ...application,
        name: `${firstName} ${lastName}`.trim(),
        createdAt: createdAt.toISOString(),
      })),
    }
  })
}
