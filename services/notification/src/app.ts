import { createApp } from '@nifty/service-kit/http/app'
import type { Log } from '@nifty/service-kit/logs'
import type { Kysely } from 'kysely'
import type { Database } from './db.ts'
import { enquiryRoutes } from './enquiries/enquiry.routes.ts'
import { newsletterRoutes } from './newsletter/newsletter.routes.ts'

export type Deps = { db: Kysely<Database>; publicUrl: string; operatorEmail: string }

/** What notification answers. */
export function buildApp(deps: Deps & { log: Log }) {
  const app = createApp({ log: deps.log, name: 'notification' })
  app.register(newsletterRoutes, deps)
  app.register(enquiryRoutes, deps)
  return app
}
