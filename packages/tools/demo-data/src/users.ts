import { Wallet } from 'ethers'
import type { DemoAccount } from './account.ts'
import type { Account, ApiClient } from './api-client.ts'
import type { Dataset } from './dataset.ts'
import { retryOn } from './retry.ts'

const PASSWORD = 'nifty-demo-2026'
const CREATORS_WITH_WALLET = 2
/** Password hashing is expensive: more sign-ups at once only queue up, until they time out. */
const CONCURRENT_SIGN_UPS = 4
const SEED_FUNDS_WEI = `0x${(100n * 10n ** 18n).toString(16)}`

/** The operator's calls that the demo needs. */
export type Operator = {
  confirmEmail: (email: string) => Promise<unknown>
  grantAdmin: (email: string) => Promise<unknown>
  /** Shows these items first on the home page. */
  feature: (itemIds: string[]) => Promise<unknown>
}

/**
 * Signs up all users of the dataset, confirms their e-mail addresses and makes the creators admins. Collectors and the
 * first creators get a funded wallet: the one in `wallets` (private keys by e-mail address), else a new one.
 */
export async function createUsers(
  { creators, collectors }: Dataset,
  {
    api,
    operator,
    chainRpcUrl,
    wallets,
  }: { api: ApiClient; operator: Operator; chainRpcUrl: string; wallets: Map<string, string> },
) {
  const accounts: DemoAccount[] = []
  const byUsername = new Map<string, Account>()

  const users = [
    ...creators.map((person, index) => ({ person, role: 'creator' as const, funded: index < CREATORS_WITH_WALLET })),
    ...collectors.map((person) => ({ person, role: 'collector' as const, funded: true })),
  ]
  async function create({ person, role, funded }: (typeof users)[number]) {
    const { firstName, lastName, username, email, description, occupation } = person
    await onceAvailable(() => api.signUp({ firstName, lastName, username, email, password: PASSWORD }))
    // Deleted since the last start: its username is taken forever, and the demo goes on without it.
    const isDeleted = await onceAvailable(() => operator.confirmEmail(email)).then(
      () => false,
      (error) => {
        if (error.code !== 'account_not_found') throw error
        return true
      },
    )
    if (isDeleted) return
    if (role === 'creator') await onceAvailable(() => operator.grantAdmin(email))
    // A change of rights ends existing sessions, so the log-in comes after it.
    const account = await onceAvailable(() => api.logIn({ email, password: PASSWORD }))
    byUsername.set(username, account)
    await onceAvailable(() => api.updateProfile(account, { description, occupation }))
    if (!funded) return
    const privateKey = wallets.get(email) ?? Wallet.createRandom().privateKey
    const { address } = new Wallet(privateKey)
    await fund(chainRpcUrl, address)
    await onceAvailable(() => api.linkWallet(account, privateKey))
    accounts.push({
      role,
      email,
      password: PASSWORD,
      username: account.username,
      userId: account.userId,
      wallet: { address, privateKey },
    })
  }

  const queue = [...users]
  const createNext = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await create(next)
  }
  await Promise.all(Array.from({ length: CONCURRENT_SIGN_UPS }, createNext))
  const order = users.map(({ person }) => person.email)
  accounts.sort((one, other) => order.indexOf(one.email) - order.indexOf(other.email))
  return { accounts, byUsername }
}

const onceAvailable = <Result>(call: () => Promise<Result>) => retryOn([503], call)

const fund = (chainRpcUrl: string, address: string) =>
  fetch(chainRpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: [address, SEED_FUNDS_WEI] }),
  })
