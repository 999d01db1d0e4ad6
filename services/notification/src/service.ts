import { join } from 'node:path'
import { workersOf } from '@nifty/service-kit/jobs/jobs'
import { defineService, type ServiceSetup } from '@nifty/service-kit/service/define-service'
import { type Config, readConfig } from './config.ts'
import { createSubscriptions } from './consumers.ts'
import { contactFormRoutes } from './contact-messages/contact-form.routes.ts'
import { contactMessageRoutes } from './contact-messages/contact-message.routes.ts'
import type { Database } from './db.ts'
import type { Deps } from './deps.ts'
import { jobs } from './jobs.ts'
import { mailRoutes } from './mails/mail.routes.ts'
import { mailQueueRoutes } from './mails/queue.routes.ts'
import { createSender } from './mails/sender.ts'
import { createCollectors } from './metrics.ts'
import { newsletterRoutes } from './newsletter/newsletter.routes.ts'
import { subscriberRoutes } from './newsletter/subscriber.routes.ts'
import { noticeRoutes } from './notices/notice.routes.ts'
import { ownDataOpsRoutes, ownDataRoutes } from './own-data/own-data.routes.ts'
import { statisticsRoutes } from './statistics/statistics.routes.ts'
import { unsubscribeRoutes } from './unsubscribe/unsubscribe.routes.ts'

export const notification = defineService({
  name: 'notification',
  migrations: join(import.meta.dirname, '../migrations'),
  readConfig,
  create: ({ db, log, config, clients }: ServiceSetup<'notification', Config, Database>) => {
    const deps: Deps = { db, auth: clients.auth, ...config }
    const sender = createSender({ db, log, ...config, publicUrl: config.store.publicUrl })
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
        app.register(mailQueueRoutes, deps)
        app.register(mailRoutes, deps)
        app.register(contactMessageRoutes, deps)
        app.register(ownDataOpsRoutes, deps)
        app.register(statisticsRoutes, deps)
      },
      subscriptions: createSubscriptions(config.store, config.operatorEmail),
      workers: workersOf(jobs, { ...deps, sender }),
      collectors: createCollectors(db, config.mailTokenKeys),
      stop: sender.stop,
    }
  },
})
