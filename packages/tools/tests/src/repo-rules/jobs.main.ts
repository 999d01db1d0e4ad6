/** `pnpm docs:jobs`: writes the table of jobs in services/README.md. */
import { writeFileSync } from 'node:fs'
import { page, pageWithJobs } from './jobs.ts'

writeFileSync(page, await pageWithJobs())
