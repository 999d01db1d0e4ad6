import type { Keys } from '@nifty/service-kit/base/secrets'
import { resealStored } from '@nifty/service-kit/database/stored-secrets'
import type { Jobs } from '@nifty/service-kit/jobs/jobs'
import { linkSecrets } from './certificates/certificate.ts'
import { checkOwners } from './chain-index/check-owners.ts'
import { createIndexer } from './chain-index/index-blocks.ts'
import { auditFinal } from './chain-transactions/audit.ts'
import type { ChainContext } from './chain-transactions/chain-context.ts'
import { createFollower } from './chain-transactions/follow-signers.ts'
import { SIGNED_WORK } from './chain-transactions/queue.ts'
import type { Database } from './db.ts'
import { handleGifts } from './gifts/gift.actions.ts'
import { eraseEndedGifts } from './gifts/gift.store.ts'
import type { ImageStore } from './images/image-store.ts'
import { createOrphanRemoval } from './mints/orphaned-images.ts'
import { handleWaiting } from './waiting-work.ts'

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
  'waiting work': {
    does: 'signs deliveries and mints, fails deliveries past their deadline, opens custody accounts',
    everyMs: pollMs,
    retry: 'backoff',
    handler: (context) => ({ run: () => handleWaiting(context) }),
  },
  gifts: {
    does: 'mails the links of gifts that are paid, and ends those that were claimed, or not claimed within 90 days',
    work: 'gift',
    everyMs: pollMs,
    retry: 'backoff',
    handler: (context) => ({ run: () => handleGifts(context) }),
  },
  'gift retention': {
    does: 'erases the addresses and texts of gifts that ended a month ago, and which mailboxes had links a day ago',
    work: 'gift',
    everyMs: 3_600_000,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => eraseEndedGifts(db) }),
  },
  'certificate secrets': {
    does: 'encrypts secrets of certificates again whose key is not the first value of MAIL_TOKEN_KEY',
    work: 'certificateLink',
    everyMs: 60_000,
    retry: 'next interval',
    handler: ({ db, mailTokenKeys }) => ({ run: () => resealStored(db, linkSecrets, mailTokenKeys) }),
  },
  owners: {
    does: 'compares the holders of tokens with the chain, each once a day',
    work: 'token',
    everyMs: { setting: 'CHAIN_POLL_MS × 600', of: ({ settings }) => 600 * settings.pollMs },
    retry: 'next interval',
    handler: (context) => ({ run: () => checkOwners(context) }),
  },
  audit: {
    does: 'compares the block of final transactions with the chain again',
    work: 'chainTransaction',
    everyMs: { setting: 'CHAIN_POLL_MS × 10', of: ({ settings }) => 10 * settings.pollMs },
    retry: 'next interval',
    handler: (context) => ({ run: () => auditFinal(context) }),
  },
  'orphaned images': {
    does: 'removes files of images that are older than a day and belong to no mint',
    everyMs: 6 * 60 * 60_000,
    retry: 'next interval',
    handler: (context) => ({ run: createOrphanRemoval(context) }),
  },
} satisfies Jobs<ChainContext & { mailTokenKeys: Keys; images: ImageStore }, Database>
