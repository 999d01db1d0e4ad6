import { createSchedule } from '@nifty/chaos/storm/schedule'
import { storm } from '@nifty/chaos/storm/storm'
import { canStart } from '@nifty/dev-servers/can-start'
import { expect, test } from 'vitest'

const possible = (await canStart('kafka')) && (await canStart('redis'))

/** The same faults in every run of the tests; `pnpm chaos storm` takes any seed and size. */
const schedule = createSchedule({ seed: '1', purchases: 60, kills: 10, replicas: 1 })

test.skipIf(!possible)(
  'purchases of every kind end as they should while processes are killed and every dependency has faults',
  { timeout: 900_000 },
  async () => {
    const lines: string[] = []
    const { violations, metrics } = await storm(schedule, (line) => lines.push(line), { paced: false })
    expect(violations, lines.join('\n')).toEqual([])
    expect(metrics.kills).toBeGreaterThanOrEqual(10)
  },
)
