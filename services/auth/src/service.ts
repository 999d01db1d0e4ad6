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
import { answerResetRequest } from './passwords/reset.actions.ts'
import { limitsOf } from './quotas/limits.ts'
import { tidy } from './retention.ts'
import { createSigningKeys } from './sessions/session.keys.ts'
import { listEndedSessions } from './sessions/session.store.ts'

export const migrations = join(import.meta.dirname, '../migrations')

/** Starts auth. It hears nothing: accounts are changed by their owners and by the operator alone. */
export async function startAuth(parts: ServiceContext, config: Config): Promise<RunningService> {
  const { log, internalSecret: secret } = parts
  const keys = createSigningKeys(config)
  const hasher = await createHasher()
  const files = await openAvatarFiles(config.uploadsDir)
  const db = await prepareDatabase<Database>(parts, migrations)
  const limits = limitsOf(config)
  const avatars = createAvatars({ db, files, perHour: limits.avatarsPerHour })

  const read = async () => ({ keys: keys.keys, endedSessions: await listEndedSessions(db) })
  const sessions = await watchSessions({ read, log })
  const sessionsEnded = () =>
    sessions.refresh().catch((err) => log.warn({ err }, 'ended sessions are read again later'))

  return runService(parts, {
    name: 'auth',
    db,
    app: buildApp({ db, log, config, limits, sessions, keys, hasher, files, avatars, sessionsEnded }),
    internal: buildInternalApp({ db, log, secret, keys, sessionsEnded }),
    workers: [
      { name: 'resets', everyMs: 250, run: () => answerResetRequest(db, limits.mailsPerHour) },
      { name: 'tidy', everyMs: 10 * 60_000, run: () => tidy(db, avatars) },
    ],
    collectors: createCollectors(db),
    stop: sessions.stop,
  })
}
