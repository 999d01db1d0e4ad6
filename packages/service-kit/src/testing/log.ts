import { createLog } from '../base/logs.ts'

/** Tests are silent; `LOG_LEVEL=debug pnpm test …` shows the logs of the services. */
export const testLog = createLog({ name: 'test', level: process.env.LOG_LEVEL ?? 'silent' })
