import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoAccount } from './account.ts'
import { type Account, createApiClient, type HttpClients } from './api-client.ts'
import { type Dataset, demoDataset, featuredWorks, type Work } from './dataset.ts'
import { avatarOf, coverOf, workPicture } from './pictures.ts'
import { retryOn } from './retry.ts'
import { createUsers, type Operator } from './users.ts'

/** Works that the market shows before `presentable` resolves; the others are minted in the background. */
const FIRST_WORKS = 40
const CONCURRENT_MINTS = 4

export type SeedOptions = {
  /** Kept across restarts. */
  progress: { read: () => Promise<SeedProgress | undefined>; write: (progress: SeedProgress) => Promise<void> }
  log: { error: (details: object, message: string) => void }
  print: (text: string) => void
  /** Called for each minted work until `presentable`. */
  onMinted: (minted: number, wanted: number) => void
  clients: HttpClients
  /** The local chain; undefined on a real one, where nothing is seeded. */
  chainRpcUrl: string | undefined
  works: number
  operator: Operator
}

/** `accounts` are stored before any work is minted, so that their wallets survive an interrupted seeding. */
export type SeedProgress = { accounts: DemoAccount[]; done: boolean }

/** Creates users and works; `before` is how far a former start came. */
export async function startSeeding(options: SeedOptions & { chainRpcUrl: string }, before: SeedProgress | undefined) {
  const dataset = demoDataset({ works: options.works })
  const wallets = new Map(before?.accounts.map(({ email, wallet }) => [email, wallet.privateKey]))
  const state = { stopped: false }
  const api = createApiClient(options.clients)

  options.print(`Creating ${dataset.works.length} demo works; the first start takes a moment.`)
  const { operator, chainRpcUrl } = options
  const { accounts, byUsername } = await createUsers(dataset, { api, operator, chainRpcUrl, wallets })
  await options.progress.write({ accounts, done: false })

  const existing = dataset.works.filter(({ creator }) => byUsername.has(creator))
  const featured = featuredWorks(existing)
  const works = [...featured, ...existing.filter((work) => !featured.includes(work))]
  const enough = Math.min(FIRST_WORKS, works.length)
  let minted = 0
  const onMinted = () => {
    minted++
    if (minted <= enough) options.onMinted(minted, enough)
  }
  const tools: Tools = { api, byUsername, state, onMinted }
  const portraits = () => uploadAvatars(dataset, tools).then(() => uploadCovers(featured, tools))
  const first = mintWorks(featured, tools)
  const featuring = first.then((ids) => featureWorks(ids, operator, state))
  const seeding = first
    .then(() => settled([featuring, mintWorks(works.slice(featured.length, enough), tools)]))
    .then(() => settled([portraits(), mintWorks(works.slice(enough), tools)]))
    .then(() => (state.stopped ? undefined : options.progress.write({ accounts, done: true })))
    .catch((error) => {
      if (!state.stopped)
        options.log.error({ err: error }, 'demo: seeding failed, the next start of the store continues it')
      throw error
    })
  const presentable = Promise.race([
    Promise.all([untilInMarket(api, enough, state), featuring]).then(() => {}),
    seeding.then(() => untilInMarket(api, enough, state)),
  ])
  return {
    accounts,
    presentable,
    countWorks: async () => {
      const listed = Math.min(works.length, await retryOn([503], api.countMarketItems))
      return { listed, left: works.length - listed }
    },
    stop: async () => {
      state.stopped = true
      await seeding.catch(() => {})
    },
  }
}

type Tools = {
  api: ReturnType<typeof createApiClient>
  byUsername: Map<string, Account>
  state: { stopped: boolean }
  onMinted: () => void
}

/** Ids of the minted items, in the order of `works`. */
async function mintWorks(works: readonly Work[], { api, byUsername, state, onMinted }: Tools): Promise<string[]> {
  const queue = [...works]
  const ids = new Map<Work, string>()
  const mintNext = async () => {
    for (let next = queue.shift(); next && !state.stopped; next = queue.shift()) {
      const { title, text, category, creator, priceCents, forSale, picture } = next
      const fields = {
        name: title,
        description: text,
        category,
        image: await workPicture(next),
        ...(forSale ? { price: String(priceCents / 100) } : {}),
      }
      // Minting learns of a granted admin flag by an event and returns 403 until it has consumed it.
      const account = byUsername.get(creator)
      if (!account) continue
      const mint = await retryOn([403, 503], () => api.mint(account, fields, `demo-${picture}`), {
        isStopped: () => state.stopped,
      }).catch((error) => leaveOut(byUsername, creator, error))
      if (!mint) continue
      ids.set(next, mint._id)
      onMinted()
    }
  }
  await settled(Array.from({ length: CONCURRENT_MINTS }, mintNext))
  return works.flatMap((work) => ids.get(work) ?? [])
}

/** Not `Promise.all`: after a failure, calls in flight must finish before the store stops. */
async function settled(calls: Promise<unknown>[]) {
  for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') throw result.reason
}

/** Catalog responds 404 until it has consumed the mints. */
async function featureWorks(itemIds: string[], operator: Operator, state: Tools['state']) {
  if (itemIds.length === 0 || state.stopped) return
  await retryOn([404, 503], () => operator.feature(itemIds), { isStopped: () => state.stopped })
}

async function uploadAvatars({ creators, collectors }: Dataset, tools: Tools) {
  for (const { username } of [...creators, ...collectors]) {
    if (tools.state.stopped) return
    const avatar = await avatarOf(username)
    await upload(username, tools, (account) => tools.api.uploadAvatar(account, avatar))
  }
}

/** The artists of the featured works have a cover: visitors of the home page come to their profiles first. */
async function uploadCovers(featured: readonly Work[], tools: Tools) {
  for (const { creator } of featured) {
    if (tools.state.stopped) return
    const cover = await coverOf(creator)
    await upload(creator, tools, (account) => tools.api.uploadCover(account, cover))
  }
}

async function upload(
  username: string,
  { byUsername, state }: Tools,
  send: (account: Account) => Promise<unknown>,
): Promise<void> {
  const account = byUsername.get(username)
  if (!account) return
  await retryOn([503], () => send(account), { isStopped: () => state.stopped }).catch((error) =>
    leaveOut(byUsername, username, error),
  )
}

/**
 * A user who was deleted, or logged out everywhere, while the demo is made has no further works. Throws other errors.
 */
function leaveOut(byUsername: Tools['byUsername'], username: string, error: { statusCode?: number }): undefined {
  if (error.statusCode !== 401) throw error
  byUsername.delete(username)
}

async function untilInMarket(api: Tools['api'], count: number, state: { stopped: boolean }) {
  while (!state.stopped && (await retryOn([503], api.countMarketItems)) < count) await sleep(200)
}
