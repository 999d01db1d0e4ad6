import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { page, pageWithJobs } from './jobs.ts'

test('services/README.md lists the jobs of all services; if not, run pnpm docs:jobs', async () => {
  expect(readFileSync(page, 'utf8')).toBe(await pageWithJobs())
})
