import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createSchedule, type Schedule } from './schedule.ts'

/** From this number of kills on there are two processes of each program. */
const TWO_REPLICAS_FROM = 50

/** The schedule of the command line: a new one, or the one of a journal (`--replay`). */
export function readSchedule(args: string[]): Schedule {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: { seed: text, purchases: text, kills: text, replicas: text, replay: text },
  })
  if (values.replay) return scheduleOf(values.replay)
  const number = (name: 'purchases' | 'kills' | 'replicas', value: string, least: number) => {
    const parsed = Number(value)
    if (!Number.isInteger(parsed) || parsed < least) throw new Error(`--${name} must be an integer from ${least} on`)
    return parsed
  }
  const kills = number('kills', values.kills ?? '10', 0)
  return createSchedule({
    seed: values.seed ?? String(Date.now()),
    purchases: number('purchases', values.purchases ?? '60', 1),
    kills,
    replicas: number('replicas', values.replicas ?? (kills < TWO_REPLICAS_FROM ? '1' : '2'), 1),
  })
}

/** The schedule in the first line of a journal. Faults may be taken out of it by hand, to find those that matter. */
export function scheduleOf(file: string): Schedule {
  const [first = ''] = readFileSync(file, 'utf8').split('\n', 1)
  const { schedule } = JSON.parse(first) as { schedule?: Schedule }
  if (!schedule) throw new Error(`${file} has no schedule in its first line`)
  return schedule
}
