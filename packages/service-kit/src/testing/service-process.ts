import { defineService } from '../service/define-service.ts'
import { runServiceProcess } from '../service/service-process.ts'

/** A service without routes, as its `main.ts` runs it. */
await runServiceProcess(
  defineService({
    name: 'notification',
    migrations: `${import.meta.dirname}/../../test-migrations`,
    readConfig: () => ({}),
    create: () => ({ routes: () => {} }),
  }),
)
