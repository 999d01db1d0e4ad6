import { setTimeout as sleep } from 'node:timers/promises'
import { Wallet } from 'ethers'
import type { DemoAccount } from './account.ts'
import { type Account, type Apps, createVisitor, Refused } from './api-client.ts'
import { type Exhibition, exhibition, type Work } from './dataset.ts'
import { startPainter } from './renderer.ts'

const password = 'nifty-demo-2026'
/** So many works hang when the door opens; the rest follows while people look. */
const FIRST_WORKS = 40
const CREATORS_WITH_WALLET = 2
const MINTS_AT_ONCE = 4
/** Passwords are dear to check: more at once would only wait for each other, and in the end too long. */
const GUESTS_AT_ONCE = 4
const POCKET_MONEY_WEI = `0x${(100n * 10n ** 18n).toString(16)}`

export type Seeding = {
  /** Kept between two starts. */
  progress: { read: () => Promise<Progress | undefined>; write: (progress: Progress) => Promise<void> }
  log: { error: (details: object, message: string) => void }
  say: (text: string) => void
  apps: Apps
  /** Null where the chain is a real one: a demo has no place there. */
  chainRpcUrl: string | undefined
  works: number
  /** What an operator does for an account. */
  operator: { confirmEmail: (email: string) => Promise<unknown>; grantAdmin: (email: string) => Promise<unknown> }
}

/** What a start that was killed must know again. */
export type Progress = { accounts: DemoAccount[]; done: boolean }

/**
 * Hangs the demo exhibition through the store's own routes. Every step may be repeated, so a start that was killed in
 * the middle goes on at the next one. `presentable` resolves when there is enough to look at.
 */
export async function seedDemo(seeding: Seeding) {
  const known = await seeding.progress.read()
  if (known?.done || !seeding.chainRpcUrl || seeding.works === 0)
    return { accounts: known?.accounts ?? [], presentable: Promise.resolve(), stop: async () => {} }

  const exhibits = exhibition({ works: seeding.works })
  const wallets = new Map(known?.accounts.map(({ email, wallet }) => [email, wallet.privateKey]))
  const state = { stopped: false }
  const painter = startPainter()
  const visitor = createVisitor(seeding.apps)

  seeding.say(`Hanging ${exhibits.works.length} works; the first start takes a moment.`)
  const people = await invite(seeding, exhibits, { visitor, wallets })
  await seeding.progress.write({ accounts: people.accounts, done: false })

  const hanging = hang(exhibits.works, { visitor, painter, creators: people.creators, state })
    .then(() => dressUp(exhibits, { visitor, painter, creators: people.creators, state }))
    .then(() => (state.stopped ? undefined : seeding.progress.write({ accounts: people.accounts, done: true })))
    .catch((error) => {
      if (!state.stopped) seeding.log.error({ err: error }, 'demo works could not all be hung')
      throw error
    })
    .finally(() => painter.stop())
  const enough = Math.min(FIRST_WORKS, exhibits.works.length)
  const presentable = Promise.race([
    untilInMarket(visitor, enough, state),
    hanging.then(() => untilInMarket(visitor, enough, state)),
  ])
  return {
    accounts: people.accounts,
    presentable,
    stop: async () => {
      state.stopped = true
      painter.stop()
      await hanging.catch(() => {})
    },
  }
}

type Visitor = ReturnType<typeof createVisitor>

async function invite(
  { operator, chainRpcUrl }: Seeding,
  { creators, collectors }: Exhibition,
  { visitor, wallets }: { visitor: Visitor; wallets: Map<string, string> },
) {
  const accounts: DemoAccount[] = []
  const byUsername = new Map<string, Account>()

  const guests = [
    ...creators.map((person, place) => ({ person, role: 'creator' as const, known: place < CREATORS_WITH_WALLET })),
    ...collectors.map((person) => ({ person, role: 'collector' as const, known: true })),
  ]
  async function welcome({ person, role, known }: (typeof guests)[number]) {
    const { firstName, lastName, username, email, description, occupation } = person
    await visitor.signUp({ firstName, lastName, username, email, password })
    await operator.confirmEmail(email)
    if (role === 'creator') await operator.grantAdmin(email)
    // A change of rights ends older sessions, so the log-in comes after it.
    const account = await visitor.logIn({ email, password })
    byUsername.set(username, account)
    await visitor.describe(account, { description, occupation })
    if (!known) return
    const privateKey = wallets.get(email) ?? Wallet.createRandom().privateKey
    const { address } = new Wallet(privateKey)
    await fetch(chainRpcUrl!, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'anvil_setBalance',
        params: [address, POCKET_MONEY_WEI],
      }),
    })
    await visitor.linkWallet(account, privateKey)
    accounts.push({
      role,
      email,
      password,
      username: account.username,
      userId: account.userId,
      wallet: { address, privateKey },
    })
  }

  const queue = [...guests]
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await welcome(next)
  }
  await Promise.all(Array.from({ length: GUESTS_AT_ONCE }, work))
  const order = guests.map(({ person }) => person.email)
  accounts.sort((one, other) => order.indexOf(one.email) - order.indexOf(other.email))
  return { accounts, creators: byUsername }
}

type Tools = {
  visitor: Visitor
  painter: ReturnType<typeof startPainter>
  creators: Map<string, Account>
  state: { stopped: boolean }
}

async function hang(works: readonly Work[], { visitor, painter, creators, state }: Tools) {
  const queue = [...works]
  const work = async () => {
    for (let next = queue.shift(); next && !state.stopped; next = queue.shift()) {
      const { title, text, category, creator, priceCents, forSale, family, seed } = next
      const image = await painter.paint({ work: { family, seed } })
      const fields = {
        name: title,
        description: text,
        category,
        image,
        ...(forSale ? { price: String(priceCents / 100) } : {}),
      }
      await whileNotYetAdmin(() => visitor.mint(creators.get(creator)!, fields, `demo-${family}-${seed}`), state)
    }
  }
  await Promise.all(Array.from({ length: MINTS_AT_ONCE }, work))
}

/** Minting hears of the admin flag by an event; until then it refuses. */
async function whileNotYetAdmin(mint: () => Promise<unknown>, state: { stopped: boolean }) {
  for (;;) {
    try {
      return await mint()
    } catch (error) {
      if (state.stopped || !(error instanceof Refused) || error.statusCode !== 403) throw error
      await sleep(100)
    }
  }
}

async function dressUp({ creators: people, collectors }: Exhibition, { visitor, painter, creators, state }: Tools) {
  for (const { username } of [...people, ...collectors]) {
    if (state.stopped) return
    await visitor.showFace(creators.get(username)!, await painter.paint({ avatarOf: username }))
  }
}

async function untilInMarket(visitor: Visitor, count: number, state: { stopped: boolean }) {
  while (!state.stopped && (await visitor.worksInMarket()) < count) await sleep(200)
}
