import type { LineState } from '@nifty/api/payments/public'
import { expect, test } from 'vitest'
import { orderState, pathTo } from './line.ts'

test('the state of an order is that of its line with the most remaining work', () => {
  const stateOf = (...states: LineState[]) => orderState(states.map((state) => ({ state })))
  expect(stateOf('released', 'completed')).toBe('completed')
  expect(stateOf('delivered', 'delivering')).toBe('delivering')
  expect(stateOf('released', 'delivered')).toBe('delivered')
  expect(stateOf('released', 'released')).toBe('released')
})

test('a path contains the states in between, and never leads back', () => {
  expect(pathTo('authorised', 'delivered')).toEqual(['delivering', 'delivered'])
  expect(pathTo('delivering', 'delivering')).toEqual([])
  expect(pathTo('delivered', 'delivering')).toBeNull()
  expect(pathTo('released', 'delivered')).toBeNull()
})
