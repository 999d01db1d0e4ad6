import * as api from '@nifty/api/auth/public'
import { parseEmail } from '@nifty/api/email-address'
import { fullNameProblem, personNameProblem } from '@nifty/api/names'
import { invalid } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { networkOf } from '@nifty/service-kit/http/network'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { invalidEmail } from '../accounts/email-address.ts'
import { parseUsername } from '../accounts/username.ts'
import type { Deps } from '../deps.ts'
import { checkPassword } from '../passwords/password.ts'
import { signUp } from './sign-up.actions.ts'

const invalidName = (msg: string, path: string) => invalid('invalid_name', msg, { errors: [{ msg, path }] })

export const signUpRoutes: FastifyPluginAsync<Deps> = async (app, { db, hasher, config }) => {
  registerRoute(app, api.signup, async ({ body, ip }) => {
    const { firstName, lastName, password } = body
    for (const [path, name] of Object.entries({ firstName, lastName })) {
      const msg = personNameProblem(name, config.storeName)
      if (msg) throw invalidName(msg, path)
    }
    const msg = fullNameProblem({ firstName, lastName }, config.storeName)
    if (msg) throw invalidName(msg, 'lastName')
    const email = parseEmail(body.email)
    if (!email) throw invalidEmail()
    const username = parseUsername(body.username, config.storeName)
    checkPassword(password, { email, username })

    // Hashed in any case, so that response times do not reveal which addresses exist.
    const passwordHash = await hasher.hash(password, ip)
    const person = { firstName, lastName, username, email, passwordHash, network: networkOf(ip) }
    return inTransaction(db, (trx) => signUp(trx, person, config))
  })
}
