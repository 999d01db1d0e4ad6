import { join } from 'node:path'
import { createInternalApp } from '@nifty/service-kit/http/internal'
import { prepareDatabase, runService, type ServiceContext } from '@nifty/service-kit/service'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { createSubscriptions } from './consumers.ts'
import type { Database } from './db.ts'
import { eraseOldAddresses } from './mails/retention.ts'
import { createSender } from './mails/sender.ts'
import { createCollectors } from './metrics.ts'

export const migrations = join(import.meta.dirname, '../migrations')

export async function startNotification(context: ServiceContext, config: Config) {
  const { log } = context
  const db = await prepareDatabase<Database>(context, migrations)
  const sender = createSender({ db, log, ...config })
  return runService(context, {
    name: 'notification',
    db,
    app: buildApp({ db, log, ...config }),
    internal: createInternalApp({ log, name: 'notification', secret: context.internalSecret }),
    subscriptions: createSubscriptions(config.publicUrl),
    workers: [sender.worker, { name: 'mail retention', everyMs: 60 * 60_000, run: () => eraseOldAddresses(db) }],
    collectors: createCollectors(db),
    stop: sender.stop,
  })
}
