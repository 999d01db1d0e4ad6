import { randomUUID } from 'node:crypto'
import { login, signup } from '@nifty/api/auth/public'
import type { DemoAccount } from '@nifty/demo-data/account'
import { type ApiClient, accountsOf, createApiClient } from './api-client.ts'
import type { RunFile } from './run-file.ts'

/** An account, with a session of its own and the step-up token that the log-in returned. */
export type User = Pick<DemoAccount, 'email' | 'password' | 'username' | 'userId'> & { token: string; stepUp: string }

const password = 'a long enough password'

/** Signs up a new account: no wallet, unconfirmed e-mail address. */
export async function createUser(run: RunFile): Promise<User> {
  const name = randomUUID().slice(0, 8)
  const email = `${name}@people.example`
  const client = createApiClient(run)
  const application = { firstName: 'Nora', lastName: 'Newcomer', username: `@${name}`, email, password }
  const { status, body } = await client.send(signup, { body: application })
  if (!body.success) throw new Error(`no account: ${status} ${body.message}`)
  return logInAs(run, { email, password })
}

/** Logs in one of the demo accounts. */
export const demoUser = (
  run: RunFile,
  role: DemoAccount['role'],
  place = 0,
): Promise<User & Pick<DemoAccount, 'wallet'>> =>
  logInAs(run, accountsOf(run, role)[place]!).then((user) => ({
    ...user,
    wallet: accountsOf(run, role)[place]!.wallet,
  }))

async function logInAs(run: RunFile, { email, password: secret }: { email: string; password: string }): Promise<User> {
  const { body } = await createApiClient(run).send(login, { body: { email, password: secret } })
  if (!body.success) throw new Error(`${email} does not log in: ${body.code}`)
  return {
    email,
    password: secret,
    username: body.username,
    userId: body.userId,
    token: body.token,
    stepUp: body.stepUp,
  }
}

export const apiClientOf = (run: RunFile, { token, stepUp }: User): ApiClient => createApiClient(run, token, stepUp)
