import { join } from 'node:path'
import { unavailable } from '@nifty/service-kit/base/errors'
import { workersOf } from '@nifty/service-kit/jobs/jobs'
import { objectsCollector } from '@nifty/service-kit/objects/objects-collector'
import { openObjects } from '@nifty/service-kit/objects/open-objects'
import { defineService, type ServiceSetup } from '@nifty/service-kit/service/define-service'
import { findAccount } from './accounts/account.store.ts'
import { certificateRoutes } from './certificates/certificate.routes.ts'
import { addCursor } from './chain-index/cursor.store.ts'
import { listSigners } from './chain-transactions/signer.store.ts'
import { type Config, readConfig } from './config.ts'
import { createSubscriptions } from './consumers.ts'
import { createChainContext } from './create-chain-context.ts'
import type { Database } from './db.ts'
import { deliverableRoutes } from './deliverable/deliverable.routes.ts'
import { deliveryRoutes } from './deliveries/delivery.routes.ts'
import type { Deps } from './deps.ts'
import { giftRoutes } from './gifts/gift.routes.ts'
import { giftCheckRoutes } from './gifts/gift-check.routes.ts'
import { imageRoutes } from './images/image.routes.ts'
import { createImageStore } from './images/image-store.ts'
import { jobs } from './jobs.ts'
import { createCollectors } from './metrics.ts'
import { metadataRoutes } from './mints/metadata.routes.ts'
import { mintRoutes } from './mints/mint.routes.ts'
import { assertMayMint } from './mints/mint.ts'
import { originalRoutes } from './mints/original.routes.ts'
import { opsDeliveryRoutes } from './ops/delivery.routes.ts'
import { opsRoutes } from './ops/ops.routes.ts'
import { ownDataOpsRoutes, ownDataRoutes } from './own-data/own-data.routes.ts'
import { permitRoutes } from './permits/permit.routes.ts'
import { reconciliationRoutes } from './reconciliation/reconciliation.routes.ts'
import { withdrawalRoutes } from './withdrawals/withdrawal.routes.ts'

export const minting = defineService({
  name: 'minting',
  migrations: join(import.meta.dirname, '../migrations'),
  readConfig,
  create: async ({ db, log, config, clients }: ServiceSetup<'minting', Config, Database>) => {
    const context = createChainContext({ db, log, config })
    const { contracts, signers } = context
    await addCursor(db, contracts.collection, config.chain.fromBlock)

    const objects = await openObjects(config.uploads, 'nfts', log)
    const images = createImageStore({ objects, log })
    const known = (await listSigners(db)).map(({ address }) => address)
    const { collection, delivery } = contracts
    const forbiddenRecipients = findForbiddenRecipients([collection, delivery, ...signers.addresses, ...known])
    const queryChain: Deps['queryChain'] = (query) =>
      query().catch((error) => {
        log.warn({ err: error }, 'chain node does not respond, returning 503')
        throw unavailable('chain_unavailable', 'The blockchain does not respond, please try again.')
      })
    const rules = { forbiddenRecipients, custodyHoldHours: config.custodyHoldHours }
    const deps: Deps = { db, context, images, auth: clients.auth, config, forbiddenRecipients, queryChain }

    return {
      roles: { seller: async (userId) => assertMayMint(await findAccount(db, userId)) },
      routes: (app) => {
        const all = [
          mintRoutes,
          permitRoutes,
          withdrawalRoutes,
          giftRoutes,
          metadataRoutes,
          imageRoutes,
          originalRoutes,
          certificateRoutes,
          ownDataRoutes,
        ]
        for (const routes of all) app.register(routes, deps)
      },
      internalRoutes: (app) => {
        for (const routes of [
          deliverableRoutes,
          giftCheckRoutes,
          deliveryRoutes,
          reconciliationRoutes,
          opsRoutes,
          opsDeliveryRoutes,
        ])
          app.register(routes, { context, rules })
        app.register(ownDataOpsRoutes, deps)
      },
      subscriptions: createSubscriptions({ contracts, forbiddenRecipients }),
      workers: workersOf(jobs, { ...context, images, mailTokenKeys: config.mailTokenKeys }),
      collectors: [...createCollectors(context, config.mailTokenKeys), objectsCollector(objects)],
      stop: async () => {
        await images.stop()
        context.node.stop()
      },
    }
  },
})

/** Lower case. The zero and the burn address, and the store's own. */
const findForbiddenRecipients = (own: string[]) => [
  `0x${'0'.repeat(40)}`,
  `0x${'0'.repeat(36)}dead`,
  ...own.map((address) => address.toLowerCase()),
]
