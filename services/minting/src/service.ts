import { join } from 'node:path'
import type { SessionList } from '@nifty/api/internal'
import { createServiceClient } from '@nifty/service-kit/http/internal'
import { type Sessions, watchSessions } from '@nifty/service-kit/http/sessions'
import { prepareDatabase, type RunningService, runService, type ServiceContext } from '@nifty/service-kit/service'
import type { Worker } from '@nifty/service-kit/worker'
import { buildApp } from './app.ts'
import { checkedAddress, createNode } from './chain/node.ts'
import { createSigner } from './chain/signer.ts'
import { addCursor } from './chain-index/cursor.store.ts'
import { followWorker } from './chain-index/index-blocks.ts'
import { recheckWorker } from './chain-transactions/audit.ts'
import type { Lane } from './chain-transactions/chain-context.ts'
import { laneWorker } from './chain-transactions/track.ts'
import type { Config } from './config.ts'
import { subscriptionsOf } from './consumers.ts'
import type { Database } from './db.ts'
import { signDeliveries } from './deliveries/delivery.worker.ts'
import { createImageStore } from './images/image-store.ts'
import { buildInternalApp } from './internal.ts'
import { createCollectors } from './metrics.ts'
import { signMints } from './mints/mint.worker.ts'

export const migrations = join(import.meta.dirname, '../migrations')

export async function startMinting(parts: ServiceContext, config: Config): Promise<RunningService> {
  const auth = createServiceClient({ url: config.authUrl, secret: parts.internalSecret, name: 'auth' })
  const sessions = await watchSessions({ read: () => auth<SessionList>('GET', '/internal/sessions'), log: parts.log })
  return startWithSessions(parts, config, sessions)
}

/** For tests, which play auth. */
export async function startWithSessions(
  parts: ServiceContext,
  config: Config,
  sessions: Sessions,
): Promise<RunningService> {
  const { log, internalSecret } = parts
  const db = await prepareDatabase<Database>(parts, migrations)
  const lane = createLane({ db, log, config })
  const { contracts, signer } = lane
  await addCursor(db, contracts.collection, config.chain.fromBlock)

  const images = createImageStore({ folder: join(config.uploadsDir, 'nfts'), log })
  const forbiddenRecipients = nobodysWallets([contracts.collection, contracts.delivery, signer.address])
  const everyMs = config.lane.pollMs
  const workers: Worker[] = [
    followWorker(lane),
    laneWorker(lane),
    { name: 'deliveries', everyMs, run: () => signDeliveries(lane) },
    { name: 'mints', everyMs, run: () => signMints(lane) },
    recheckWorker(lane),
  ]
  return runService(parts, {
    name: 'minting',
    db,
    app: buildApp({ db, lane, images, config, forbiddenRecipients, log, sessions }),
    internal: buildInternalApp({ log, secret: internalSecret, lane }),
    subscriptions: subscriptionsOf({ collection: contracts.collection, forbiddenRecipients }),
    workers,
    collectors: createCollectors(lane),
    stop: async () => {
      await sessions.stop()
      await images.drain()
      lane.node.stop()
    },
  })
}

function createLane({ db, log, config }: Pick<Lane, 'db' | 'log'> & { config: Config }): Lane {
  const { rpcUrl, secondRpcUrl, chainId, signerKey, finalityDepth, fromBlock } = config.chain
  const contracts = {
    collection: configuredAddress('CHAIN_COLLECTION', config.chain.collection),
    delivery: configuredAddress('CHAIN_DELIVERY', config.chain.delivery),
  }
  const { signaturesPerMinute: perMinute, ...settings } = config.lane
  const signer = createSigner({ privateKey: signerKey, chainId, contracts, perMinute })
  const place = { rpcUrl, secondRpcUrl, chainId, finalityDepth, fromBlock, contracts }
  const node = createNode({ ...place, signer: signer.address })
  return { db, node, signer, contracts, chainId, settings, log }
}

function configuredAddress(name: string, text: string) {
  const address = checkedAddress(text)
  if (!address) throw new Error(`${name} is not an address, or its checksum is wrong`)
  return address
}

const nobodysWallets = (own: string[]) => [
  `0x${'0'.repeat(40)}`,
  `0x${'0'.repeat(36)}dead`,
  ...own.map((address) => address.toLowerCase()),
]
