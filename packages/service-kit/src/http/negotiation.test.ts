import { expect, test } from 'vitest'
import { encodingFor, includesEtag } from './negotiation.ts'

test.each([
  ['br, gzip', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, GZIP;q=0.5', 'gzip'],
  ['br;q=0.0, gzip;q=0', 'identity'],
  [undefined, 'identity'],
])('Accept-Encoding %s: %s, each time', (header, coding) => {
  expect([encodingFor(header), encodingFor(header)]).toEqual([coding, coding])
})

test('more different headers than are kept, and long ones, get their own coding', () => {
  for (const round of [1, 2])
    for (let n = 0; n < 250; n++) {
      const coding = n % 2 ? 'br' : 'gzip'
      expect([round, n, encodingFor(`${coding}, x-${n}`)]).toEqual([round, n, coding])
    }
  expect(encodingFor(`br, ${'x'.repeat(1_000)}`)).toBe('br')
})

test.each([
  ['W/"a"', true],
  ['"a"', true],
  ['W/"b", "a"', true],
  ['*', true],
  ['W/"ab"', false],
  [undefined, false],
])('If-None-Match %s names W/"a": %s', (header, names) => {
  expect(includesEtag(header, 'W/"a"')).toBe(names)
})
