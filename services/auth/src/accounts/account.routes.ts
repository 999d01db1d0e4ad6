import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/auth'
import { accessDenied } from '@nifty/service-kit/errors'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { Deps } from '../app.ts'
import { invalidEmail, readEmail } from '../emails/email.ts'
import { checkPassword } from '../passwords/password.ts'
import { deleteAccount } from './account.actions.ts'
import { signUp, usernameUnavailable } from './sign-up.actions.ts'
import { readUsername } from './username.ts'

export const accountRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, deps) => {
  const { db, callers, hasher, limits, avatars, sessionsEnded } = deps

  app.post('/api/auth/signup', { schema: api.signup }, async ({ body }) => {
    const { firstName, lastName, password } = body
    const email = readEmail(body.email)
    if (!email) throw invalidEmail()
    const username = readUsername(body.username)
    if (!username) return usernameUnavailable
    checkPassword(password, { email, username })

    // Hashed whether or not the address is known: both take equally long.
    const passwordHash = await hasher.hash(password)
    const person = { firstName, lastName, username, email, passwordHash }
    return inTransaction(db, (trx) => signUp(trx, person, limits.mailsPerHour))
  })

  app.delete('/api/users/:id', { schema: api.deleteAccount, onRequest: callers.signedIn }, async (request) => {
    const { userId } = await callers.callerOf(request)
    if (userId !== request.params.id) throw accessDenied()

    const { avatar } = await inTransaction(db, (trx) => deleteAccount(trx, userId))
    await sessionsEnded()
    if (avatar) await avatars.remove(avatar)
    return { success: true as const, message: 'Account deleted successfully' }
  })
}
