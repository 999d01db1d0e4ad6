import { expect, test } from 'vitest'
import { codePace, delayAfter, type Pace, passwordPace } from './login.ts'

const delays = (pace: Pace) => [1, 4, 5, 6, 7, 11, 12, 15, 1000].map((failures) => delayAfter(failures, pace))

test('delays double from one second to a minute for passwords, and to a quarter of an hour for codes', () => {
  expect(delays(passwordPace(5))).toEqual([0, 0, 1, 2, 4, 60, 60, 60, 60])
  expect(delays(codePace(5))).toEqual([0, 0, 1, 2, 4, 64, 128, 900, 900])
})
