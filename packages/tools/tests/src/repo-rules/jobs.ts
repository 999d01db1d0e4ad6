import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { services } from '@nifty/api/services'
import type { Job, Jobs } from '@nifty/service-kit/jobs/jobs'
import { commonJobs, consumerJobs } from '@nifty/service-kit/service/background'
import { root } from './tree.ts'

type AnyJob = Job<never, any>

export const page = join(root, 'services/README.md')
const [begin, end] = ['<!-- pnpm docs:jobs -->\n\n', '\n\n<!-- end -->']

export const jobsOf = async (service: string): Promise<Jobs<never, any>> =>
  (await import(join(root, 'services', service, 'src/jobs.ts'))).jobs

/** services/README.md with the list of all `jobs.ts`. */
export async function pageWithJobs(): Promise<string> {
  const lists: [string, Jobs<never, any>][] = [
    ['every service', commonJobs],
    ['every consumer', consumerJobs],
  ]
  for (const { name } of services) lists.push([name, await jobsOf(name)])
  const items = lists
    .filter(([, jobs]) => Object.keys(jobs).length > 0)
    .map(([service, jobs]) => [
      `**${service}**\n`,
      ...Object.entries(jobs).map(([name, job]) => `- ${name} (${triggerOf(job)}): ${job.does}`),
    ])

  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(begin)
  return before + begin + items.map((lines) => lines.join('\n')).join('\n\n') + end + rest!.split(end)[1]
}

/** When a job runs, and what differs from one run at once and the next one at the interval after a failure. */
function triggerOf({ everyMs, isNotified, concurrency = 1, retry }: AnyJob): string {
  const every = typeof everyMs === 'number' ? duration(everyMs) : `\`${everyMs.setting}\``
  const atOnce = typeof concurrency === 'number' ? String(concurrency) : `\`${concurrency.setting}\``
  return [
    every,
    ...(isNotified ? ['NOTIFY'] : []),
    ...(atOnce === '1' ? [] : [`${atOnce} at once`]),
    ...(retry === 'next interval' ? [] : [retry]),
  ].join(', ')
}

function duration(ms: number): string {
  const [amount, unit] = ms % 3_600_000 === 0 ? [3_600_000, 'h'] : ms % 60_000 === 0 ? [60_000, 'min'] : [1_000, 's']
  return `${ms / Number(amount)} ${unit}`
}
