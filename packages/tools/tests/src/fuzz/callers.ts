import { createPrivateKey, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCurrentUser, logout } from '@nifty/api/auth/public'
import { setPrice } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { listMints } from '@nifty/api/minting/public'
import { listOrders } from '@nifty/api/payments/public'
import type { RunFile } from '@nifty/testkit/run-file'
import { apiClientOf, createUser, demoUser, type User } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { availableWork } from '@nifty/testkit/works'

export const unauthenticatedCallers = ['nobody', 'forged', 'expired', 'ended'] as const
export const accounts = ['newcomer', 'buyer', 'seller'] as const
export const callers = [...unauthenticatedCallers, ...accounts] as const

export type Account = (typeof accounts)[number]
export type Caller = (typeof callers)[number]
export const isAccount = (caller: Caller): caller is Account => (accounts as readonly string[]).includes(caller)

/** Who sends requests: without a token, with tokens that no longer or never were valid, and three accounts. */
export async function createCallers({ run, folder }: { run: RunFile; folder: string }) {
  const signUpOrIn: Record<Account, () => Promise<User>> = {
    newcomer: () => createUser(run),
    buyer: () => demoUser(run, 'collector'),
    seller: () => demoUser(run, 'creator'),
  }
  const users = new Map<Account, User>()
  for (const account of accounts) users.set(account, await signUpOrIn[account]())

  const former = await createUser(run)
  const { token } = users.get('buyer')!
  const invalid = {
    nobody: undefined,
    forged: `${token.slice(0, -8)}AAAAAAAA`,
    expired: await expired(token, folder),
    ended: former.token,
  }
  await apiClientOf(run, former).send(logout)
  // Each service learns of an ended session by itself, at most two seconds later.
  for (const { path } of [getCurrentUser, listMints, listOrders])
    await waitUntil(async () => (await apiClientOf(run, former).call('GET', path)).status === 401 || undefined)
  const { contract, identifier } = await availableWork(apiClientOf(run, former))
  const price = endpointUrl(setPrice, { params: { contract, identifier } })
  await waitUntil(async () => (await apiClientOf(run, former).call('PUT', price, {})).status === 401 || undefined)

  return {
    user: (account: Account) => users.get(account)!,
    token: (caller: Caller) => (isAccount(caller) ? users.get(caller)!.token : invalid[caller]),
    /** A new session; for the newcomer, whose requests may have deleted it, a new account. */
    renew: async (account: Account) => users.set(account, await signUpOrIn[account]()),
  }
}

export type Callers = Awaited<ReturnType<typeof createCallers>>

const DAY_S = 24 * 60 * 60

/** The same token, signed by the store's own key, as it was a day ago. */
async function expired(token: string, folder: string) {
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encode(header)}.${encode({ ...payload, iat: payload.iat - DAY_S, exp: payload.exp - DAY_S })}`
  const { authSigningKey } = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8'))
  return `${signed}.${sign(null, Buffer.from(signed), createPrivateKey(authSigningKey)).toString('base64url')}`
}
