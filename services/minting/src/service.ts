import { join } from 'node:path'
import { listSessions } from '@nifty/api/auth/internal'
import { createServiceClient } from '@nifty/service-kit/http/client'
import { type Sessions, watchSessions } from '@nifty/service-kit/http/sessions'
import { prepareDatabase, type RunningService, runService, type ServiceContext } from '@nifty/service-kit/service'
import type { Worker } from '@nifty/service-kit/worker'
import { buildApp } from './app.ts'
import { checkedAddress, createNode } from './chain/node.ts'
import { createSigner } from './chain/signer.ts'
import { createChainIndex } from './chain-index/chain-index.ts'
import { addCursor } from './chain-index/cursor.store.ts'
import { indexWorker } from './chain-index/index-blocks.ts'
import { auditWorker } from './chain-transactions/audit.ts'
import type { ChainContext } from './chain-transactions/chain-context.ts'
import { trackWorker } from './chain-transactions/track.ts'
import type { Config } from './config.ts'
import { subscriptionsOf } from './consumers.ts'
import type { Database } from './db.ts'
import { deliveryWork } from './deliveries/delivery.work.ts'
import { signDeliveries } from './deliveries/delivery.worker.ts'
import { createImageStore } from './images/image-store.ts'
import { buildInternalApp } from './internal.ts'
import { createCollectors } from './metrics.ts'
import { mintWork } from './mints/mint.work.ts'
import { signMints } from './mints/mint.worker.ts'

export const migrations = join(import.meta.dirname, '../migrations')

export async function startMinting(parts: ServiceContext, config: Config): Promise<RunningService> {
  const auth = createServiceClient({ url: config.authUrl, secret: parts.internalSecret, name: 'auth' })
  const sessions = await watchSessions({ read: () => auth(listSessions), log: parts.log })
  return startWithSessions(parts, config, sessions)
}

/** Tests pass sessions of their own. */
export async function startWithSessions(
  parts: ServiceContext,
  config: Config,
  sessions: Sessions,
): Promise<RunningService> {
  const { log, internalSecret } = parts
  const db = await prepareDatabase<Database>(parts, migrations)
  const context = createChainContext({ db, log, config })
  const { contracts, signer } = context
  await addCursor(db, contracts.collection, config.chain.fromBlock)

  const images = createImageStore({ folder: join(config.uploadsDir, 'nfts'), log })
  const forbiddenRecipients = findForbiddenRecipients([contracts.collection, contracts.delivery, signer.address])
  const everyMs = config.transactions.pollMs
  const workers: Worker[] = [
    indexWorker(context),
    trackWorker(context),
    { name: 'deliveries', everyMs, run: () => signDeliveries(context) },
    { name: 'mints', everyMs, run: () => signMints(context) },
    auditWorker(context),
  ]
  return runService(parts, {
    name: 'minting',
    db,
    app: buildApp({ db, context, images, config, forbiddenRecipients, log, sessions }),
    internal: buildInternalApp({ log, secret: internalSecret, context }),
    subscriptions: subscriptionsOf({ collection: contracts.collection, forbiddenRecipients }),
    workers,
    collectors: createCollectors(context),
    stop: async () => {
      await sessions.stop()
      await images.drain()
      context.node.stop()
    },
  })
}

function createChainContext({ db, log, config }: Pick<ChainContext, 'db' | 'log'> & { config: Config }): ChainContext {
  const { rpcUrl, secondRpcUrl, chainId, signerKey, finalityDepth, fromBlock } = config.chain
  const contracts = {
    collection: configuredAddress('CHAIN_COLLECTION', config.chain.collection),
    delivery: configuredAddress('CHAIN_DELIVERY', config.chain.delivery),
  }
  const { signaturesPerMinute: perMinute, ...settings } = config.transactions
  const signer = createSigner({ privateKey: signerKey, chainId, contracts, perMinute })
  const nodeOptions = { rpcUrl, secondRpcUrl, chainId, finalityDepth, fromBlock, contracts }
  const node = createNode({ ...nodeOptions, signer: signer.address })
  const works = { mint: mintWork, delivery: deliveryWork }
  const index = createChainIndex({ db, contracts, log })
  return { db, node, signer, contracts, chainId, settings, log, works, index }
}

function configuredAddress(name: string, text: string) {
  const address = checkedAddress(text)
  if (!address) throw new Error(`${name} is not an address, or its checksum is wrong`)
  return address
}

const findForbiddenRecipients = (own: string[]) => [
  `0x${'0'.repeat(40)}`,
  `0x${'0'.repeat(36)}dead`,
  ...own.map((address) => address.toLowerCase()),
]
