import { createApp } from '@nifty/service-kit/http/app'
import type { Log } from '@nifty/service-kit/logs'
import { contactFormRoutes } from './contact-form/contact-form.routes.ts'
import type { Deps } from './deps.ts'
import { newsletterRoutes } from './newsletter/newsletter.routes.ts'

/** Public routes of notification. */
export function buildApp(deps: Deps & { log: Log }) {
  const app = createApp({ log: deps.log, name: 'notification' })
  app.register(newsletterRoutes, deps)
  app.register(contactFormRoutes, deps)
  return app
}
