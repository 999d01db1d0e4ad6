import type { Log } from '@nifty/service-kit/base/logs'
import type { Kysely } from 'kysely'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import type { Hasher } from './passwords/password.hash.ts'
import type { Pictures } from './pictures/picture.actions.ts'
import type { SigningKeys } from './sessions/session.keys.ts'
import type { ContractWallets } from './wallets/contract-wallet.ts'

/** Dependencies of the routes. */
export type Deps = {
  db: Kysely<Database>
  log: Log
  config: Config
  keys: SigningKeys
  hasher: Hasher
  avatars: Pictures
  covers: Pictures
  /** Undefined without a node of the chain: then only key pairs prove themselves. */
  contractWallets: ContractWallets | undefined
  /** Reloads the list of ended sessions at once. */
  sessionsEnded: () => Promise<void>
}
