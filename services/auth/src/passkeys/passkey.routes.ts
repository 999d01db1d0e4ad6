import * as api from '@nifty/api/auth/passkeys'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { register, remove, rename, startRegistration, startStepUp } from './passkey.actions.ts'
import { findPasskeysOf, type Passkey } from './passkey.store.ts'

export const passkeyRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const { db, config } = deps
  registerRoute(app, api.listPasskeys, async (request) => ({
    passkeys: (await findPasskeysOf(db, callerOf(request).userId)).map(toResponse),
  }))

  registerRoute(app, api.startPasskey, (request) => startRegistration(deps, callerOf(request).userId))

  registerRoute(app, api.createPasskey, async (request) =>
    toResponse(await register(deps, callerOf(request).userId, request.body)),
  )

  registerRoute(app, api.renamePasskey, async (request) => {
    const renamed = { id: request.params.id, name: request.body.name }
    return toResponse(await inTransaction(db, (trx) => rename(trx, config, callerOf(request).userId, renamed)))
  })

  registerRoute(app, api.removePasskey, async (request) => {
    await inTransaction(db, (trx) => remove(trx, config, callerOf(request).userId, request.params.id))
    return { success: true as const }
  })

  registerRoute(app, api.startPasskeyStepUp, (request) => startStepUp(deps, callerOf(request).userId))
}

const toResponse = ({ id, name, createdAt, lastUsedAt }: Passkey): api.Passkey => ({
  _id: id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
