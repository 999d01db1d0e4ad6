import { join } from 'node:path'
import { defineService, type ServiceSetup } from '@nifty/service-kit/define-service'
import { unavailable } from '@nifty/service-kit/errors'
import { findAccount } from './accounts/account.store.ts'
import { checkedAddress, createNode } from './chain/node.ts'
import { createSigner } from './chain/signer.ts'
import { createChainIndex } from './chain-index/chain-index.ts'
import { addCursor } from './chain-index/cursor.store.ts'
import { indexWorker } from './chain-index/index-blocks.ts'
import { auditWorker } from './chain-transactions/audit.ts'
import type { ChainContext } from './chain-transactions/chain-context.ts'
import { trackWorker } from './chain-transactions/track.ts'
import { type Config, readConfig } from './config.ts'
import { subscriptionsOf } from './consumers.ts'
import type { Database } from './db.ts'
import { deliverableRoutes } from './deliverable/deliverable.routes.ts'
import { deliveryRoutes } from './deliveries/delivery.routes.ts'
import { deliveryWork } from './deliveries/delivery.work.ts'
import { signDeliveries } from './deliveries/delivery.worker.ts'
import type { Deps } from './deps.ts'
import { imageRoutes } from './images/image.routes.ts'
import { createImageStore } from './images/image-store.ts'
import { createCollectors } from './metrics.ts'
import { metadataRoutes } from './mints/metadata.routes.ts'
import { mintRoutes } from './mints/mint.routes.ts'
import { assertMayMint } from './mints/mint.ts'
import { mintWork } from './mints/mint.work.ts'
import { signMints } from './mints/mint.worker.ts'
import { opsRoutes } from './ops/ops.routes.ts'
import { permitRoutes } from './permits/permit.routes.ts'
import { withdrawalRoutes } from './withdrawals/withdrawal.routes.ts'

export const minting = defineService({
  name: 'minting',
  migrations: join(import.meta.dirname, '../migrations'),
  readConfig,
  create: async ({ db, log, config }: ServiceSetup<'minting', Config, Database>) => {
    const context = createChainContext({ db, log, config })
    const { contracts, signer } = context
    await addCursor(db, contracts.collection, config.chain.fromBlock)

    const images = createImageStore({ folder: join(config.uploadsDir, 'nfts'), log })
    const forbiddenRecipients = findForbiddenRecipients([contracts.collection, contracts.delivery, signer.address])
    const queryChain: Deps['queryChain'] = (query) =>
      query().catch((error) => {
        log.warn({ err: error }, 'chain node does not respond, returning 503')
        throw unavailable('chain_unavailable', 'The blockchain does not respond, please try again.')
      })
    const deps: Deps = { db, context, images, config, forbiddenRecipients, queryChain }
    const everyMs = config.transactions.pollMs

    return {
      requireSeller: async (userId) => assertMayMint(await findAccount(db, userId)),
      routes: (app) => {
        for (const routes of [mintRoutes, permitRoutes, withdrawalRoutes, metadataRoutes, imageRoutes])
          app.register(routes, deps)
      },
      internalRoutes: (app) => {
        for (const routes of [deliverableRoutes, deliveryRoutes, opsRoutes]) app.register(routes, { context })
      },
      subscriptions: subscriptionsOf({ collection: contracts.collection, forbiddenRecipients }),
      workers: [
        indexWorker(context),
        trackWorker(context),
        { name: 'deliveries', everyMs, run: () => signDeliveries(context) },
        { name: 'mints', everyMs, run: () => signMints(context) },
        auditWorker(context),
      ],
      collectors: createCollectors(context),
      stop: async () => {
        await images.drain()
        context.node.stop()
      },
    }
  },
})

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
