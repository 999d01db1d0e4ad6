import { expect, test } from 'vitest'
import { encodingFor, includesEtag } from './negotiation.ts'

test.each([
  ['br, gzip', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, GZIP;q=0.5', 'gzip'],
  ['br;q=0.0, gzip;q=0', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip', 'br'],
  ['*', 'br'],
  ['identity;q=0', 'identity'],
  ['', 'identity'],
  [undefined, 'identity'],
])('Accept-Encoding %s: %s', (header, coding) => {
  expect(encodingFor(header)).toBe(coding)
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
