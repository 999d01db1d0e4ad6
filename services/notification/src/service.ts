import { join } from 'node:path'
import { defineService, type ServiceSetup } from '@nifty/service-kit/service/define-service'
import { type Config, readConfig } from './config.ts'
import { createSubscriptions } from './consumers.ts'
import { contactFormRoutes } from './contact-form/contact-form.routes.ts'
import type { Database } from './db.ts'
import type { Deps } from './deps.ts'
import { eraseOldAddresses } from './mails/retention.ts'
import { createSender } from './mails/sender.ts'
import { createCollectors } from './metrics.ts'
import { newsletterRoutes } from './newsletter/newsletter.routes.ts'
import { subscriberRoutes } from './newsletter/subscriber.routes.ts'
import { queueNoticeMail } from './notices/notice.actions.ts'
import { noticeRoutes } from './notices/notice.routes.ts'
import { countMailsDue, deleteOldNotices } from './notices/notice.store.ts'
import { ownDataRoutes } from './own-data/own-data.routes.ts'
import { eraseDeletedRecipients } from './recipients/recipient.store.ts'
import { unsubscribeRoutes } from './unsubscribe/unsubscribe.routes.ts'

const MINUTE_MS = 60_000

export const notification = defineService({
  name: 'notification',
  migrations: join(import.meta.dirname, '../migrations'),
  readConfig,
  create: async ({ db, log, config, clients }: ServiceSetup<'notification', Config, Database>) => {
    const deps: Deps = { db, auth: clients.auth, ...config }
    const sender = await createSender({ db, log, ...config })
    return {
      routes: (app) => {
        app.register(newsletterRoutes, deps)
        app.register(contactFormRoutes, deps)
        app.register(ownDataRoutes, deps)
        app.register(unsubscribeRoutes, deps)
        app.register(noticeRoutes, deps)
      },
      internalRoutes: (app) => {
        app.register(subscriberRoutes, deps)
      },
      subscriptions: createSubscriptions(config.publicUrl),
      workers: [
        sender.worker,
        {
          ...{ name: 'notice mails', everyMs: 1_000, concurrency: 4 },
          ...{
            due: (atMost: number) => countMailsDue(db, atMost),
            run: async () => void (await queueNoticeMail(deps)),
          },
        },
        { name: 'mail retention', everyMs: 60 * MINUTE_MS, run: () => eraseOldAddresses(db) },
        { name: 'notice retention', everyMs: 60 * MINUTE_MS, run: () => deleteOldNotices(db) },
        { name: 'deleted recipients', everyMs: 5 * MINUTE_MS, run: () => eraseDeletedRecipients(db) },
      ],
      collectors: createCollectors(db),
      stop: sender.stop,
    }
  },
})
