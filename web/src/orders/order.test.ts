import type { LineState } from '@nifty/api/payments/line-states'
import type { Order, OrderLine } from '@nifty/api/payments/public'
import { expect, test } from 'vitest'
import { isFinal, isUndecidedBid, offerFor, openOrderFor, stepsOf } from './order.ts'

const line = (state: LineState, reason: string | null = null) => ({ itemId: 'work', state, reason }) as OrderLine
const timelineOf = (...states: LineState[]): Order['timeline'] =>
  states.map((state, index) => ({ state, at: `2026-01-01T10:00:0${index}Z`, itemId: 'work', note: null }))
const inWallet = (timeline: Order['timeline']) => ({ wallet: '0xabc', timeline })
const titlesOf = (of: OrderLine, timeline: Order['timeline']) =>
  stepsOf(of, inWallet(timeline)).map(({ title, phase }) => `${title}: ${phase}`)

test('an order under way has done, current and upcoming steps', () => {
  expect(titlesOf(line('delivering'), timelineOf('placed', 'awaiting_payment', 'authorised', 'delivering'))).toEqual([
    'Card held: done',
    'On its way: done',
    'Arrived: now',
    'Charged: next',
  ])
})

test('before the payment the current step is the card hold', () => {
  expect(titlesOf(line('awaiting_payment'), timelineOf('placed', 'awaiting_payment'))[0]).toBe('Card held: now')
})

test('a released order ends uncharged and has no step for a charge', () => {
  const steps = stepsOf(
    line('released', 'undeliverable'),
    inWallet(timelineOf('placed', 'authorised', 'delivering', 'released')),
  )
  expect(steps.map(({ title }) => title)).toEqual(['Card held', 'On its way', 'Nothing was charged'])
  expect(steps.at(-1)!.text).toBe('The work could not be delivered to your wallet. The hold on your card is released.')
})

test('an order released before its payment mentions no hold', () => {
  const [only] = stepsOf(line('released', 'cancelled'), inWallet(timelineOf('placed', 'awaiting_payment', 'released')))
  expect(only!.text).toBe('The purchase was cancelled. Your card was never held.')
})

test('a written-off line is delivered and not charged', () => {
  const steps = titlesOf(
    line('written_off'),
    timelineOf('authorised', 'delivering', 'delivered', 'capture_due', 'written_off'),
  )
  expect(steps).toEqual(['Card held: done', 'On its way: done', 'Arrived: done', 'Not charged: done'])
})

test('a refund is the step after the charge', () => {
  const steps = titlesOf(line('refunded'), timelineOf('authorised', 'delivering', 'delivered', 'completed', 'refunded'))
  expect(steps.slice(-2)).toEqual(['Charged: done', 'Refunded: done'])
})

test('timeline entries of another line do not count', () => {
  const other = timelineOf('authorised').map((entry) => ({ ...entry, itemId: 'other' }))
  expect(titlesOf(line('awaiting_payment'), other)[0]).toBe('Card held: now')
})

test('only an order that awaits its payment is open', () => {
  const order = (state: LineState) => ({ state, lines: [line(state)] }) as Order
  expect(openOrderFor([order('completed'), order('awaiting_payment')], 'work')?.state).toBe('awaiting_payment')
  expect(openOrderFor([order('authorised')], 'work')).toBeUndefined()
  expect(isFinal(order('released'))).toBe(true)
  expect(isFinal(order('capture_due'))).toBe(false)
})

test('the steps of an order into custody speak of no wallet', () => {
  const inCustody = {
    wallet: null,
    timeline: timelineOf('placed', 'authorised', 'delivering', 'delivered', 'completed'),
  }
  const steps = stepsOf(line('completed'), inCustody)
  expect(steps.map(({ text }) => text)).toContain('The work was transferred into our custody for you.')
  expect(JSON.stringify(steps)).not.toContain('wallet')
  const [, , ending] = stepsOf(line('released', 'undeliverable'), {
    wallet: null,
    timeline: timelineOf('placed', 'authorised', 'delivering', 'released'),
  })
  expect(ending!.text).toBe(
    'The work could not be transferred into our custody for you. The hold on your card is released.',
  )
})

const textsOf = (of: OrderLine, order: Parameters<typeof stepsOf>[1]) =>
  stepsOf(of, order)
    .filter(({ phase }) => phase === 'done')
    .map(({ text }) => text)

test('the steps of an order tell in the present what goes on, and in the past what is over', () => {
  const states = ['authorised', 'delivering', 'delivered', 'completed'] as const
  expect(textsOf(line('delivering'), inWallet(timelineOf(...states.slice(0, 2))))).toEqual([
    'The amount is held on your card. It is not charged.',
    'The work is being transferred to your wallet.',
  ])
  expect(textsOf(line('capture_due'), inWallet(timelineOf(...states.slice(0, 3))))).toEqual([
    'The amount is held on your card. It is not charged.',
    'The work was transferred to your wallet.',
    'The transfer is final on the chain. The work is yours.',
  ])
  expect(textsOf(line('completed'), inWallet(timelineOf(...states)))).toEqual([
    'The amount was held on your card.',
    'The work was transferred to your wallet.',
    'The transfer is final on the chain. The work is yours.',
    'Only now was your card charged.',
  ])
  expect(
    textsOf(line('released', 'undeliverable'), inWallet(timelineOf('authorised', 'delivering', 'released'))),
  ).toEqual(['The amount was held on your card.', 'The transfer to your wallet was started.'])
})

test.each(['completed', 'written_off'] as const)(
  'the steps of a given work, %s, do not call it the buyer’s',
  (state) => {
    const order = { wallet: null, timeline: timelineOf('authorised', 'delivering', 'delivered', state) }
    expect(textsOf(line(state), order).join(' ')).toContain('The work is yours')
    expect(textsOf(line(state), { ...order, given: true }).join(' ')).not.toContain('yours')
  },
)

const offer = (state: LineState, timeline: Order['timeline'], { _id = 'offer', reason = null as string | null } = {}) =>
  ({
    _id,
    kind: 'offer',
    state,
    wallet: '0xabc',
    createdAt: '2026-01-01T09:00:00Z',
    lines: [line(state, reason)],
    timeline,
  }) as unknown as Order
const lost = (note: string): Order['timeline'] => [
  ...timelineOf('placed', 'awaiting_payment', 'held'),
  { state: 'released', at: '2026-01-02T10:00:00Z', itemId: 'work', note },
]

test('the card of an offer is held before its owner accepts it', () => {
  const titles = (order: Order) => stepsOf(order.lines[0]!, order).map(({ title, phase }) => `${title}: ${phase}`)
  expect(titles(offer('held', timelineOf('placed', 'awaiting_payment', 'held')))).toEqual([
    'Card held: done',
    'The owner decides: now',
    'On its way: next',
    'Arrived: next',
    'Charged: next',
  ])
  const bid = (state: LineState, timeline: Order['timeline']) => ({ ...offer(state, timeline), kind: 'bid' }) as Order
  expect(titles(bid('held', timelineOf('held')))[1]).toBe('The auction ends: now')
  expect(titles(bid('authorised', timelineOf('held', 'authorised')))[1]).toBe('Won: done')
  expect(titles(bid('placed', []))).toContain('The auction ends: next')
  expect(titles(offer('released', lost('declined'), { reason: 'lost' }))).toEqual([
    'Card held: done',
    'Nothing was charged: failed',
  ])
})

test.each([
  ['declined', 'The owner declined your offer.'],
  ['expired', 'The owner did not accept your offer in time.'],
  ['withdrawn', 'You withdrew your offer.'],
  ['undecided', 'Your offer was not decided by its end, because of a fault in our store.'],
  ['undeliverable', 'The work cannot be delivered at the moment.'],
  ['a reason of a newer server', 'Your offer has ended.'],
])('the last step of an offer that ended as %s has the reason, and what became of the hold', (note, text) => {
  const order = offer('released', lost(note), { reason: 'lost' })
  expect(stepsOf(order.lines[0]!, order).at(-1)!.text).toBe(`${text} The hold on your card is released.`)
})

test('an offer that was never paid ends without a hold', () => {
  const order = offer('released', timelineOf('placed', 'awaiting_payment', 'released'), { reason: 'cancelled' })
  const [only] = stepsOf(order.lines[0]!, order)
  expect(only!.text).toBe('You did not pay, so the owner did not get your offer. Your card was never held.')
})

test('the page of a work shows the offer that is under way, and for two weeks why the newest one ended', () => {
  const held = offer('held', timelineOf('held'), { _id: 'held' })
  const declined = offer('released', lost('declined'), { _id: 'declined', reason: 'lost' })
  const unpaid = offer('released', timelineOf('released'), { _id: 'unpaid', reason: 'cancelled' })
  const sold = offer('completed', timelineOf('held', 'completed'), { _id: 'sold' })
  const purchase = { ...offer('awaiting_payment', []), kind: 'purchase' } as Order
  const shown = (
    orders: Order[],
    { asked = null as string | null, followed = '', now = '2026-01-03T10:00:00Z', item = 'work' } = {},
  ) => offerFor(orders, item, { asked, followed, now: Date.parse(now) })?._id

  expect(shown([declined, held])).toBe('held')
  expect(shown([unpaid, declined])).toBe('declined')
  expect(shown([unpaid, declined], { asked: 'unpaid' })).toBe('unpaid')
  expect(shown([declined], { now: '2026-01-17T10:00:00Z' })).toBeUndefined()
  expect(shown([sold, declined])).toBeUndefined()
  expect(shown([sold, declined], { followed: 'sold' })).toBe('sold')
  expect(shown([held, purchase], { item: 'another' })).toBeUndefined()
  expect(shown([purchase])).toBeUndefined()
})

test.each<[LineState[], boolean]>([
  [['placed', 'awaiting_payment'], true],
  [['held'], true],
  [['held', 'released'], true],
  [['held', 'authorised', 'delivering'], false],
  [['held', 'authorised', 'delivering', 'released'], false],
])('the price of a bid that was %j is the most that its bidder would pay: %s', (states, is) => {
  const order = { state: states.at(-1)!, timeline: timelineOf(...states) }
  expect(isUndecidedBid({ kind: 'bid', ...order })).toBe(is)
  expect(isUndecidedBid({ kind: 'offer', ...order })).toBe(false)
})
