import { join } from 'node:path'
import { createInternalApp } from '@nifty/service-kit/http/internal'
import { prepareDatabase, runService, type ServiceContext } from '@nifty/service-kit/service'
import { buildApp } from './app.ts'
import type { NotificationConfig } from './config.ts'
import { subscriptionsOf } from './consumers.ts'
import type { Database } from './db.ts'
import { forgetRecipients } from './mails/retention.ts'
import { createSender } from './mails/sender.ts'
import { createCollectors } from './metrics.ts'

export const migrations = join(import.meta.dirname, '../migrations')

export async function startNotification(parts: ServiceContext, config: NotificationConfig) {
  const { log } = parts
  const db = await prepareDatabase<Database>(parts, migrations)
  const sender = createSender({ db, log, ...config })
  return runService(parts, {
    name: 'notification',
    db,
    app: buildApp({ db, log, ...config }),
    internal: createInternalApp({ log, name: 'notification', secret: parts.internalSecret }),
    subscriptions: subscriptionsOf(config.publicUrl),
    workers: [sender.worker, { name: 'forget', everyMs: 60 * 60_000, run: () => forgetRecipients(db) }],
    collectors: createCollectors(db),
    stop: sender.stop,
  })
}
