import { closeNextDay } from '@nifty/service-kit/database/statistics'
import { resealStored } from '@nifty/service-kit/database/stored-secrets'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { Jobs } from '@nifty/service-kit/jobs/jobs'
import { completeDeletion } from './accounts/account.actions.ts'
import { findDueDeletions } from './accounts/account.store.ts'
import { logDeletion } from './accounts/deletion-log.ts'
import type { Database } from './db.ts'
import type { Deps } from './deps.ts'
import { isResetRequested } from './mail-tokens/reset.store.ts'
import { processResetRequest } from './passwords/reset.actions.ts'
import { deleteExpired } from './retention.ts'
import { totpSecrets } from './second-factors/secret.ts'
import { accountFigures } from './statistics/statistics.store.ts'

export const jobs = {
  resets: {
    does: 'requests the mail of a password reset',
    work: 'passwordResetRequest',
    // Requests are due at once: a NOTIFY reports them, and after a lost connection they are searched for.
    everyMs: 5_000,
    isNotified: true,
    retry: 'next interval',
    handler: ({ db, config }) => ({
      isDue: () => isResetRequested(db),
      run: async () => void (await processResetRequest(db, config)),
    }),
  },
  deletions: {
    does: 'erases accounts whose deletion no mailed link can undo any more',
    work: 'account',
    everyMs: 60_000,
    retry: 'next interval',
    handler: ({ db, log, config, avatars, covers }) => ({
      run: async () => {
        for (const id of await findDueDeletions(db)) {
          const files = await inTransaction(db, (trx) => completeDeletion(trx, id, config.mailTokenKeys))
          if (files) logDeletion(log, id, null)
          if (files?.avatar) await avatars.discard(files.avatar)
          if (files?.cover) await covers.discard(files.cover)
        }
      },
    }),
  },
  'second factor secrets': {
    does: 'encrypts secrets of apps again whose key is not the first value of SECOND_FACTOR_KEY',
    work: 'totp',
    everyMs: 60_000,
    retry: 'next interval',
    handler: ({ db, config }) => ({ run: () => resealStored(db, totpSecrets, config.secondFactorKeys) }),
  },
  retention: {
    does: 'deletes what has expired, and images that belong to no account',
    everyMs: 10 * 60_000,
    retry: 'next interval',
    handler: ({ db, avatars, covers }) => ({ run: () => deleteExpired(db, [avatars, covers]) }),
  },
  'unfinished pictures': {
    does: 'removes files that a killed process was writing a day ago',
    everyMs: 6 * 60 * 60_000,
    retry: 'next interval',
    handler: ({ avatars, covers }) => ({
      run: async () => {
        for (const pictures of [avatars, covers]) await pictures.removeDrafts()
      },
    }),
  },
  statistics: {
    does: 'stores the figures of a day that is over',
    work: 'statisticsDay',
    everyMs: 10 * 60_000,
    retry: 'next interval',
    handler: ({ db }) => ({ run: () => closeNextDay(db, accountFigures) }),
  },
} satisfies Jobs<Deps, Database>
