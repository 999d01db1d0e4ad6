import { createLog } from '../logs.ts'

/** Tests are silent; `LOG_LEVEL=debug pnpm test …` shows what the services say. */
export const testLog = createLog({ name: 'test', level: process.env.LOG_LEVEL ?? 'silent' })
