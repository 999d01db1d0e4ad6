import { join } from 'node:path'
import { watchSessions } from '@nifty/service-kit/http/sessions'
import { prepareDatabase, type RunningService, runService, type ServiceContext } from '@nifty/service-kit/service'
import { buildApp } from './app.ts'
import { createAvatars } from './avatars/avatar.actions.ts'
import { openAvatarFiles } from './avatars/avatar.files.ts'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import { buildInternalApp } from './internal.ts'
import { createCollectors } from './metrics.ts'
import { createHasher } from './passwords/password.hash.ts'
import { processResetRequest } from './passwords/reset.actions.ts'
import { limitsOf } from './quotas/limits.ts'
import { deleteExpired } from './retention.ts'
import { createSigningKeys } from './sessions/session.keys.ts'
import { listEndedSessions } from './sessions/session.store.ts'

export const migrations = join(import.meta.dirname, '../migrations')

/** Starts auth. It consumes no events: only owners and operators change accounts. */
export async function startAuth(context: ServiceContext, config: Config): Promise<RunningService> {
  const { log, internalSecret: secret } = context
  const keys = createSigningKeys(config)
  const hasher = await createHasher()
  const files = await openAvatarFiles(config.uploadsDir)
  const db = await prepareDatabase<Database>(context, migrations)
  const limits = limitsOf(config)
  const avatars = createAvatars({ db, files, perHour: limits.avatarsPerHour })

  const read = async () => ({ keys: keys.keys, endedSessions: await listEndedSessions(db) })
  const sessions = await watchSessions({ read, log })
  const sessionsEnded = () =>
    sessions.refresh().catch((err) => log.warn({ err }, 'sessions: reload of ended sessions failed, retrying in 2 s'))

  return runService(context, {
    name: 'auth',
    db,
    app: buildApp({ db, log, config, limits, sessions, keys, hasher, files, avatars, sessionsEnded }),
    internal: buildInternalApp({ db, log, secret, keys, sessionsEnded }),
    workers: [
      { name: 'resets', everyMs: 250, run: () => processResetRequest(db, limits.mailsPerHour) },
      { name: 'retention', everyMs: 10 * 60_000, run: () => deleteExpired(db, avatars) },
    ],
    collectors: createCollectors(db),
    stop: sessions.stop,
  })
}
