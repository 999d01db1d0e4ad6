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

/** services/README.md with the table of all `jobs.ts`. */
export async function pageWithJobs(): Promise<string> {
  const lists: [string, Jobs<never, any>][] = [
    ['every service', commonJobs],
    ['every consumer', consumerJobs],
  ]
  for (const { name } of services) lists.push([name, await jobsOf(name)])
  const rows = lists.flatMap(([service, jobs]) => Object.entries(jobs).map(([name, job]) => rowOf(service, name, job)))
  const table = tableOf([['Service', 'Job', 'One run', 'Its work', 'Every', 'At once', 'After a failure'], ...rows])

  const text = readFileSync(page, 'utf8')
  const [before, rest] = text.split(begin)
  return before + begin + table + end + rest!.split(end)[1]
}

const rowOf = (service: string, name: string, { does, work, everyMs, isNotified, concurrency = 1, retry }: AnyJob) => [
  service,
  name,
  does,
  work ? `\`${work}\`` : '',
  `${typeof everyMs === 'number' ? duration(everyMs) : `\`${everyMs.setting}\``}${isNotified ? ', NOTIFY' : ''}`,
  typeof concurrency === 'number' ? String(concurrency) : `\`${concurrency.setting}\``,
  retry,
]

function duration(ms: number): string {
  const [amount, unit] = ms % 3_600_000 === 0 ? [3_600_000, 'h'] : ms % 60_000 === 0 ? [60_000, 'min'] : [1_000, 's']
  return `${ms / Number(amount)} ${unit}`
}

function tableOf([head, ...rows]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head!), line(head!.map(() => '---')), ...rows.map(line)].join('\n')
}
