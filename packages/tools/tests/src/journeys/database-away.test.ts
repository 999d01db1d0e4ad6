import { faults } from '@nifty/chaos/faults/faults'
import { canStart } from '@nifty/dev-servers/can-start'
import { quickChain } from '@nifty/testkit/store'
import { expect, test } from 'vitest'

const possible = (await canStart('kafka')) && (await canStart('redis'))

test.skipIf(!possible)(
  'visitors get no error, and every sale completes, while PostgreSQL recovers from a crash and is switched over',
  { timeout: 600_000 },
  async () => {
    const lines: string[] = []
    const { violations, metrics } = await faults(['postgres-crashes', 'switch-over'], {
      perFault: 5,
      env: quickChain,
    })!((line) => lines.push(line))
    expect(violations, lines.join('\n')).toEqual([])
    expect(metrics.reconcile).toBe('Balanced.')
    expect(metrics['switch-over']).toContain('refused: 503 busy')
  },
)
