import { expect, test } from 'vitest'
import { describeFailure, MAX_ATTEMPTS, retryDelay } from './delivery.ts'

/** Seconds after the first attempt at which each one follows. */
function attemptsAt(random: number): number[] {
  const times = [0]
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) times.push(times.at(-1)! + retryDelay(attempt, random))
  return times
}

test.each([0, 0.5, 0.999])(
  'greylisting of 5 and of 10 minutes ends just before an attempt, with jitter %d',
  (random) => {
    const times = attemptsAt(random)
    for (const minutes of [5, 10]) {
      const first = times.find((seconds) => seconds >= minutes * 60)!
      expect(first).toBeLessThan(minutes * 60 * 1.3)
    }
  },
)

test('a mail is attempted for about half a day, and mails that failed together are attempted apart', () => {
  expect(attemptsAt(0).at(-1)).toBeGreaterThan(11 * 3_600)
  expect(attemptsAt(0.999).at(-1)).toBeLessThan(16 * 3_600)
  expect(retryDelay(5, 0.9) - retryDelay(5, 0.1)).toBeGreaterThan(30)
})

test('what is stored about a failure names no address', () => {
  const response = '550 5.1.1 <ben@people.test>: unknown user ben@people.test'
  const error = Object.assign(new Error('refused'), { code: 'EENVELOPE', command: 'RCPT TO', response })
  expect(describeFailure(error)).toBe('EENVELOPE RCPT TO 550 5.1.1 [address]: unknown user [address]')
})
