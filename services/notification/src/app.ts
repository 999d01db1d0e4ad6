import { createApp } from '@nifty/service-kit/http/app'
import type { Log } from '@nifty/service-kit/logs'
import { enquiryRoutes } from './contact-form/contact-form.routes.ts'
import type { Deps } from './deps.ts'
import { newsletterRoutes } from './newsletter/newsletter.routes.ts'

/** What notification answers. */
export function buildApp(deps: Deps & { log: Log }) {
  const app = createApp({ log: deps.log, name: 'notification' })
  app.register(newsletterRoutes, deps)
  app.register(enquiryRoutes, deps)
  return app
}
