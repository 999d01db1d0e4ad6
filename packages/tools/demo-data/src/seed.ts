import type { DemoAccount } from './account.ts'
import type { HttpClients } from './api-client.ts'
import type { Operator } from './users.ts'

const NONE_LEFT = async () => 0

export type SeedOptions = {
  /** Kept across restarts. */
  progress: { read: () => Promise<SeedProgress | undefined>; write: (progress: SeedProgress) => Promise<void> }
  log: { error: (details: object, message: string) => void }
  print: (text: string) => void
  clients: HttpClients
  /** The local chain; undefined on a real one, where nothing is seeded. */
  chainRpcUrl: string | undefined
  works: number
  operator: Operator
}

/** `accounts` are stored before any work is minted, so that their wallets survive an interrupted seeding. */
export type SeedProgress = { accounts: DemoAccount[]; done: boolean }

/**
 * Creates the demo's users and works through the public API, unless a former start has. Every step is idempotent: an
 * interrupted seeding continues at the next start. `presentable` resolves when the market shows enough works for a first visit.
 */
export async function seedDemo(options: SeedOptions) {
  const before = await options.progress.read()
  const { chainRpcUrl } = options
  if (before?.done || !chainRpcUrl || options.works === 0)
    return {
      accounts: before?.accounts ?? [],
      presentable: Promise.resolve(),
      worksLeft: NONE_LEFT,
      stop: async () => {},
    }
  // Loaded by the starts that need it.
  const { startSeeding } = await import('./seeding.ts')
  return startSeeding({ ...options, chainRpcUrl }, before)
}
