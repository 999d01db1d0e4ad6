import { type LineState, lineStates } from '@nifty/api/payments/line-states'
import { expect, test } from 'vitest'
import { isPaid, openStates, orderState, pathTo } from './line.ts'

test('the state of an order is that of its line with the most remaining work', () => {
  const stateOf = (...states: LineState[]) => orderState(states.map((state) => ({ state })))
  expect(stateOf('released', 'completed')).toBe('completed')
  expect(stateOf('delivered', 'delivering')).toBe('delivering')
  expect(stateOf('released', 'delivered')).toBe('delivered')
  expect(stateOf('released', 'released')).toBe('released')
})

test.each<[LineState, LineState[]]>([
  ['placed', lineStates.filter((state) => state !== 'placed')],
  ['awaiting_payment', ['held', 'authorised', 'delivering', 'capture_due', 'delivered', 'completed', 'released']],
  ['held', ['authorised', 'delivering', 'capture_due', 'delivered', 'completed', 'released']],
  ['authorised', ['delivering', 'capture_due', 'delivered', 'completed', 'released']],
  ['delivering', ['capture_due', 'delivered', 'completed', 'released']],
  ['capture_due', ['delivered', 'completed', 'released']],
  ['delivered', ['disputed', 'written_off', 'completed', 'refunded', 'released']],
  ['disputed', ['written_off', 'completed', 'refunded', 'released']],
  ['written_off', ['completed', 'refunded', 'released']],
  ['completed', ['refunded', 'released']],
  ['refunded', ['released']],
])('a line that is %s has more work left than one that is %s', (more, others) => {
  for (const less of others) expect(orderState([{ state: less }, { state: more }])).toBe(more)
})

test('lines are open until they are captured, released or written off', () => {
  const final: LineState[] = ['completed', 'released', 'written_off', 'refunded', 'disputed']
  expect([...openStates].sort()).toEqual(lineStates.filter((state) => !final.includes(state)).sort())
})

test('a line is sold from its authorisation on, unless it is released', () => {
  const unpaid: LineState[] = ['placed', 'awaiting_payment', 'held', 'released']
  for (const state of lineStates) expect([state, isPaid({ state })]).toEqual([state, !unpaid.includes(state)])
})

test('a path contains the states in between, and never leads back', () => {
  expect(pathTo('authorised', 'delivered')).toEqual(['delivering', 'delivered'])
  expect(pathTo('delivering', 'delivering')).toEqual([])
  expect(pathTo('delivered', 'delivering')).toBeNull()
  expect(pathTo('released', 'delivered')).toBeNull()
})
