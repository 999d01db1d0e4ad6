import { randomUUID } from 'node:crypto'
import type { DemoAccount } from '@nifty/demo-data/account'
import type { RunFile } from '@nifty/local/run-file'
import { accountsOf, createVisitor, type Visitor } from './visitor.ts'

/** Somebody with an account. */
export type Person = Pick<DemoAccount, 'email' | 'password' | 'username' | 'userId'> & { token: string }

const password = 'a long enough password'

/** A new account without a wallet, whose address nobody has confirmed. */
export async function newcomer(run: RunFile): Promise<Person> {
  const name = randomUUID().slice(0, 8)
  const email = `${name}@people.example`
  const visitor = createVisitor(run)
  const application = { firstName: 'Nora', lastName: 'Newcomer', username: `@${name}`, email, password }
  const { status, body } = await visitor.call('POST', '/api/auth/signup', application)
  if (!body.success) throw new Error(`no account: ${status} ${body.message}`)
  return logIn(run, { email, password })
}

/** One of the demo's people, with a session of their own. */
export const demo = (
  run: RunFile,
  role: DemoAccount['role'],
  place = 0,
): Promise<Person & Pick<DemoAccount, 'wallet'>> =>
  logIn(run, accountsOf(run, role)[place]!).then((person) => ({
    ...person,
    wallet: accountsOf(run, role)[place]!.wallet,
  }))

async function logIn(run: RunFile, { email, password: secret }: { email: string; password: string }): Promise<Person> {
  const { body } = await createVisitor(run).call('POST', '/api/auth/login', { email, password: secret })
  return { email, password: secret, username: body.username, userId: body.userId, token: body.token }
}

export const visitorOf = (run: RunFile, { token }: Person): Visitor => createVisitor(run, token)
