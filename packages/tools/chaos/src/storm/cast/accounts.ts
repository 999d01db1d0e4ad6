import { confirmEmail, grantAdmin } from '@nifty/api/auth/ops'
import { connectMetamask, login, signup, walletChallenge } from '@nifty/api/auth/public'
import { stepUp as stepUpEndpoint } from '@nifty/api/auth/step-up'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import { type ApiClient, createApiClient } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'
import { waitUntil } from '@nifty/testkit/wait-until'
import { HDNodeWallet, Wallet } from 'ethers'

/** A buyer or a seller. */
export type Person = {
  name: string
  email: string
  userId: string
  username: string
  token: string
  client: ApiClient
  /** A client whose requests carry a new step-up token. */
  steppedUp: () => Promise<ApiClient>
  wallet: Wallet
}

const PASSWORD = 'a storm of faults'
const reason = { reason: 'account of the campaign' }
const READY = { timeoutMs: 600_000, intervalMs: 500 }
const FUNDS = `0x${(10n ** 20n).toString(16)}`

type Deps = { run: RunFile; auth: ServiceClient; seed: string }

/** The wallets of a seed are always the same ones. */
export const walletOf = (seed: string, name: string) =>
  new Wallet(HDNodeWallet.fromSeed(Buffer.from(`${seed}.${name}`.padEnd(64, '.')).subarray(0, 64)).privateKey)

/** Signs up an account with a confirmed address and a wallet that it has proven; a seller may list. */
export async function createPerson({ run, auth, seed }: Deps, name: string, role: 'buyer' | 'seller'): Promise<Person> {
  const email = `${name}@storm.example`
  const stranger = createApiClient(run)
  const body = { firstName: name, lastName: 'Storm', username: `@${name}`, email, password: PASSWORD }
  await expectOk(`sign-up of ${name}`, () => stranger.send(signup, { body }))
  await auth(confirmEmail, { body: { email, ...reason } })
  if (role === 'seller') await auth(grantAdmin, { body: { email, ...reason } })
  const signedIn = await expectOk(`log-in of ${name}`, () =>
    stranger.send(login, { body: { email, password: PASSWORD } }),
  )
  if (!signedIn.success) throw new Error(`log-in of ${name}: ${signedIn.code}`)
  const { token, userId, username } = signedIn
  const wallet = walletOf(seed, name)
  const client = createApiClient(run, token)
  const steppedUp = async () => {
    const { stepUp } = await expectOk(`step-up of ${name}`, () =>
      client.send(stepUpEndpoint, { body: { password: PASSWORD } }),
    )
    return createApiClient(run, token, stepUp)
  }
  const person = { name, email, userId, username, token, client, steppedUp, wallet }
  await linkWallet(person, wallet)
  if (role === 'seller') await fund(run, wallet.address)
  return person
}

/** Links a wallet with its signature. */
export async function linkWallet({ client, steppedUp, userId, name }: Person, wallet: Wallet) {
  const { address } = wallet
  const { message } = await expectOk(`challenge for ${name}`, () => client.send(walletChallenge, { body: { address } }))
  const signature = await wallet.signMessage(message)
  const body = { userId, metamaskAddress: address, message, signature }
  const confirmed = await steppedUp()
  await expectOk(`wallet of ${name}`, () => confirmed.send(connectMetamask, { body }))
}

const fund = ({ chainRpcUrl }: RunFile, address: string) =>
  fetch(chainRpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: [address, FUNDS] }),
  })

/** Repeats a request while the store is busy. */
export async function expectOk<Body>(what: string, send: () => Promise<{ status: number; body: Body }>): Promise<Body> {
  const { status, body } = await waitUntil(async () => {
    const response = await send()
    return response.status < 500 && response
  }, READY)
  if (status >= 300) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`)
  return body
}
