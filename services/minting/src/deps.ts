import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { ChainContext } from './chain-transactions/chain-context.ts'
import type { Config } from './config.ts'
import type { Db } from './db.ts'
import type { ImageStore } from './images/image-store.ts'

/** What the public routes use. */
export type Deps = {
  db: Db
  context: ChainContext
  images: ImageStore
  auth: ServiceClient
  config: Config
  /** Addresses (lower case) that receive no tokens: zero, burn, the contracts and all signers. */
  forbiddenRecipients: string[]
  /** Runs a query to the chain node; throws 503 when the node does not respond. */
  queryChain: <Result>(query: () => Promise<Result>) => Promise<Result>
}
