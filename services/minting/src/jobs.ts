import type { Jobs } from '@nifty/service-kit/jobs/jobs'
import { createIndexer } from './chain-index/index-blocks.ts'
import { auditFinal } from './chain-transactions/audit.ts'
import type { ChainContext } from './chain-transactions/chain-context.ts'
import { createFollower } from './chain-transactions/follow-signers.ts'
import { SIGNED_WORK } from './chain-transactions/queue.ts'
import type { Database } from './db.ts'
import { signDeliveries } from './deliveries/delivery.worker.ts'
import { handleUnsigned } from './deliveries/unsigned.worker.ts'
import { signMints } from './mints/mint.worker.ts'

const pollMs = { setting: 'CHAIN_POLL_MS', of: ({ settings }: ChainContext) => settings.pollMs }

export const jobs = {
  index: {
    does: 'applies the logs of the next final blocks; without open work at every sixth interval',
    work: 'chainCursor',
    everyMs: pollMs,
    retry: 'next interval',
    handler: (context) => ({ run: createIndexer(context) }),
  },
  [SIGNED_WORK]: {
    does: 'follows the transactions that are in no final block: broadcasts, replaces, closes',
    work: 'chainTransaction',
    everyMs: pollMs,
    isNotified: true,
    retry: 'next interval',
    handler: (context) => ({ run: createFollower(context) }),
  },
  deliveries: {
    does: 'signs the deliveries that are due, in one transaction',
    work: 'delivery',
    everyMs: pollMs,
    retry: 'backoff',
    handler: (context) => ({ run: () => signDeliveries(context) }),
  },
  'unsigned deliveries': {
    does: 'fails deliveries past their deadline, closes those that the chain has, opens custody accounts',
    work: 'delivery',
    everyMs: pollMs,
    retry: 'backoff',
    handler: (context) => ({ run: () => handleUnsigned(context) }),
  },
  mints: {
    does: 'signs the mints that were accepted, in one transaction',
    work: 'mint',
    everyMs: pollMs,
    retry: 'next interval',
    handler: (context) => ({ run: () => signMints(context) }),
  },
  audit: {
    does: 'compares the block of final transactions with the chain again',
    work: 'chainTransaction',
    everyMs: { setting: 'CHAIN_POLL_MS × 10', of: ({ settings }) => 10 * settings.pollMs },
    retry: 'next interval',
    handler: (context) => ({ run: () => auditFinal(context) }),
  },
} satisfies Jobs<ChainContext, Database>
