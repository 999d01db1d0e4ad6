import type { DemoAccount } from './account.ts'
import type { SeedOptions } from './seeding.ts'

type Seeding = {
  accounts: DemoAccount[]
  presentable: Promise<void>
  countWorks: () => Promise<WorkCount | undefined>
  stop: () => Promise<void>
}

/** Works of the demo that the market lists, and those that it does not list yet. */
export type WorkCount = { listed: number; left: number }

/**
 * Creates the demo's users and works through the public API, unless a former start has. Every step is idempotent: an
 * interrupted seeding continues at the next start. `presentable` resolves when the market lists enough works for a
 * first visit, and the home page the featured ones. `countWorks` returns undefined where this start creates nothing.
 */
export async function seedDemo(options: SeedOptions): Promise<Seeding> {
  const before = await options.progress.read()
  const { chainRpcUrl } = options
  if (before?.done || !chainRpcUrl || options.works === 0)
    return {
      accounts: before?.accounts ?? [],
      presentable: Promise.resolve(),
      countWorks: async () => undefined,
      stop: async () => {},
    }
  // Loaded by the starts that need it.
  const { startSeeding } = await import('./seeding.ts')
  return startSeeding({ ...options, chainRpcUrl }, before)
}
