import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { services } from '@nifty/api/services'
import { expect, test } from 'vitest'
import { jobsOf, page, pageWithJobs } from './jobs.ts'
import { root } from './tree.ts'

test('services/README.md lists the jobs of all services; if not, run pnpm docs:jobs', async () => {
  expect(readFileSync(page, 'utf8')).toBe(await pageWithJobs())
})

test.each(services.map(({ name }) => name))(
  'a job exists for each trigger of %s that reports work to one',
  async (name) => {
    const folder = join(root, 'services', name, 'migrations')
    const migrations = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    const reported = migrations.flatMap((sql) => [...sql.matchAll(/notify_work\('([^']+)'\)/g)].map(([, job]) => job!))
    const jobs = await jobsOf(name)
    for (const job of reported) expect([job, jobs[job]?.isNotified]).toEqual([job, true])
  },
)
