import { expect, test } from 'vitest'
import { causeOf } from './cause.ts'

test.each([
  'Client has encountered a connection error and is not queryable',
  'Connection terminated unexpectedly',
  'timeout exceeded when trying to connect',
])('the cause "%s" names the database', (message) => {
  expect(causeOf(new Error(message))).toBe(`the database of payments: ${message}`)
})

test('any other error is its message', () => {
  expect(causeOf(new Error('something else'))).toBe('something else')
})
