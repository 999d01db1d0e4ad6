import type { LineState, Order, OrderLine } from '@nifty/api/payments/public'
import { expect, test } from 'vitest'
import { isOver, openOrderFor, stepsOf } from './order.ts'

const line = (state: LineState, reason: string | null = null) => ({ itemId: 'work', state, reason }) as OrderLine
const story = (...states: LineState[]): Order['timeline'] =>
  states.map((state, index) => ({ state, at: `2026-01-01T10:00:0${index}Z`, itemId: 'work', note: null }))
const told = (...[of, timeline]: Parameters<typeof stepsOf>) =>
  stepsOf(of, timeline).map(({ title, phase }) => `${title}: ${phase}`)

test('a purchase under way shows what is done, what happens now and what comes', () => {
  expect(told(line('delivering'), story('placed', 'awaiting_payment', 'authorised', 'delivering'))).toEqual([
    'Card held: done',
    'On its way: done',
    'Arrived: now',
    'Charged: next',
  ])
})

test('before the payment arrives, holding the card is what happens now', () => {
  expect(told(line('awaiting_payment'), story('placed', 'awaiting_payment'))[0]).toBe('Card held: now')
})

test('a released purchase ends with the word that nothing was charged, and never promises a charge', () => {
  const steps = stepsOf(line('released', 'undeliverable'), story('placed', 'authorised', 'delivering', 'released'))
  expect(steps.map(({ title }) => title)).toEqual(['Card held', 'On its way', 'Nothing was charged'])
  expect(steps.at(-1)!.text).toBe('The work could not be delivered to your wallet. The hold on your card was released.')
})

test('who never paid is not told of a hold', () => {
  const [only] = stepsOf(line('released', 'cancelled'), story('placed', 'awaiting_payment', 'released'))
  expect(only!.text).toBe('The purchase was cancelled. Your card was never held.')
})

test('a hold that lapsed leaves the work with its buyer, uncharged', () => {
  const steps = told(line('written_off'), story('authorised', 'delivering', 'delivered', 'capture_due', 'written_off'))
  expect(steps).toEqual(['Card held: done', 'On its way: done', 'Arrived: done', 'Not charged: done'])
})

test('a refund is told after the charge', () => {
  const steps = told(line('refunded'), story('authorised', 'delivering', 'delivered', 'completed', 'refunded'))
  expect(steps.slice(-2)).toEqual(['Charged: done', 'Refunded: done'])
})

test('another line of the same order does not tell this one its story', () => {
  const other = story('authorised').map((entry) => ({ ...entry, itemId: 'other' }))
  expect(told(line('awaiting_payment'), other)[0]).toBe('Card held: now')
})

test('only a purchase that waits for its payment can be gone on with', () => {
  const order = (state: LineState) => ({ state, lines: [line(state)] }) as Order
  expect(openOrderFor([order('completed'), order('awaiting_payment')], 'work')?.state).toBe('awaiting_payment')
  expect(openOrderFor([order('authorised')], 'work')).toBeUndefined()
  expect(isOver(order('released'))).toBe(true)
  expect(isOver(order('capture_due'))).toBe(false)
})
