import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createSchedule, type Schedule } from './schedule.ts'

/** From this number of kills on there are two processes of each program. */
const TWO_REPLICAS_FROM = 50

export type Options = {
  schedule: Schedule
  /** A file with the hits of each point over several runs, to which this run's are added. */
  hitsFile: string | undefined
  /** Whether slow responses count: not on a machine with other load (`--unpaced`). */
  paced: boolean
}

/** The command line; its schedule is a new one, or the one of a journal (`--replay`). */
export function readOptions(args: string[]): Options {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      seed: text,
      purchases: text,
      kills: text,
      replicas: text,
      replay: text,
      hits: text,
      unpaced: { type: 'boolean', default: false },
    },
  })
  const rest = { hitsFile: values.hits, paced: !values.unpaced }
  if (values.replay) return { schedule: scheduleOf(values.replay), ...rest }
  const number = (name: 'purchases' | 'kills' | 'replicas', value: string, least: number) => {
    const parsed = Number(value)
    if (!Number.isInteger(parsed) || parsed < least) throw new Error(`--${name} must be an integer from ${least} on`)
    return parsed
  }
  const kills = number('kills', values.kills ?? '10', 0)
  const schedule = createSchedule({
    seed: values.seed ?? String(Date.now()),
    purchases: number('purchases', values.purchases ?? '60', 1),
    kills,
    replicas: number('replicas', values.replicas ?? (kills < TWO_REPLICAS_FROM ? '1' : '2'), 1),
  })
  return { schedule, ...rest }
}

/** The schedule in the first line of a journal. Faults may be taken out of it by hand, to find those that matter. */
export function scheduleOf(file: string): Schedule {
  const [first = ''] = readFileSync(file, 'utf8').split('\n', 1)
  const { schedule } = JSON.parse(first) as { schedule?: Schedule }
  if (!schedule) throw new Error(`${file} has no schedule in its first line`)
  return schedule
}
