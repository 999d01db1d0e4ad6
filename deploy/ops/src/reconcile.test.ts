import type { Reconciliation } from '@nifty/api/payments/ops'
import { expect, onTestFinished, test, vi } from 'vitest'
import { reconcileCommand } from './reconcile.ts'
import type { Store } from './store.ts'

const sums = { heldCents: 0, capturedCents: 0, releasedCents: 0, inFlightCents: 0, withdrawnCents: 0 }
const run = (changes: Partial<Reconciliation>): Reconciliation => ({
  _id: 'run',
  since: '2026-11-26T12:00:00.000Z',
  until: '2026-11-27T12:00:00.000Z',
  isFull: false,
  step: 'refunds',
  finishedAt: null,
  error: null,
  compared: {},
  ours: sums,
  processor: sums,
  differenceCount: 0,
  differences: [],
  acknowledgedCount: 0,
  acknowledged: [],
  ...changes,
})

test('the step of the run and the cause of a page that fails are printed at once', async () => {
  // As in a process that has just started.
  const began = performance.now()
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() - began)
  onTestFinished(() => clock.mockRestore())
  const printed: string[] = []
  const output = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.push(String(text))
    return true
  })
  onTestFinished(() => output.mockRestore())
  const failing = run({ error: 'refunds: the card processor does not respond' })
  const responses = [failing, { run: failing }, { run: run({ step: null, finishedAt: failing.until }) }]

  await reconcileCommand.run({ payments: async () => responses.shift() } as unknown as Store, [], { reason: '' })

  expect(printed).toEqual(['refunds: 0 compared; refunds: the card processor does not respond, retrying\n'])
})
