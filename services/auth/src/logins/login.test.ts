import { expect, test } from 'vitest'
import { delayAfter } from './login.ts'

test('delays double from one second to a minute', () => {
  const delays = [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1000].map((failures) => delayAfter(failures, 5))
  expect(delays).toEqual([0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60])
})
