import type { Jobs } from '@nifty/service-kit/jobs/jobs'
import type { Database } from './db.ts'
import type { Deps } from './deps.ts'
import { isResetRequested } from './mail-tokens/reset.store.ts'
import { processResetRequest } from './passwords/reset.actions.ts'
import { deleteExpired } from './retention.ts'

export const jobs = {
  resets: {
    does: 'requests the mail of a password reset',
    work: 'passwordResetRequest',
    everyMs: 1_000,
    isNotified: true,
    retry: 'next interval',
    handler: ({ db, config }) => ({
      isDue: () => isResetRequested(db),
      run: async () => void (await processResetRequest(db, config)),
    }),
  },
  retention: {
    does: 'deletes what has expired, and images that belong to no account',
    everyMs: 10 * 60_000,
    retry: 'next interval',
    handler: ({ db, avatars, covers }) => ({ run: () => deleteExpired(db, [avatars, covers]) }),
  },
} satisfies Jobs<Deps, Database>
