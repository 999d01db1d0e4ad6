import { lineStates } from '@nifty/api/payments/line-states'
import { expect, test } from 'vitest'
import type { Line, Order } from '../../db.ts'
import { type LineState, transitions } from '../line.ts'
import { nextStep, reported, sale } from './sale.ts'

const now = new Date('2026-01-01T12:00:00Z')
const past = new Date('2026-01-01T11:00:00Z')
const later = new Date('2026-01-01T13:00:00Z')

type Case = { states: Line['state'][]; reserved?: boolean } & Partial<Order>

const stepOf = ({ states, reserved = true, ...changes }: Case) => {
  const order = {
    orderKind: 'purchase',
    money: 'none',
    cancelRequestedBy: null,
    captureRequestedAt: null,
    sessionId: null,
    intentId: null,
    rebuiltAt: null,
    deliverBy: null,
  }
  const lines = states.map((state) => ({ state, sellerId: reserved ? 'seller' : null }))
  return nextStep({ ...order, ...changes } as Order, lines as Line[], now)?.step ?? 'done'
}

/** One or more cases for each step of the sale. */
const rows: [step: string, cases: Case[]][] = [
  [
    'rebuild',
    [
      { states: ['placed', 'placed'], reserved: false, rebuiltAt: past, sessionId: 'cs_1' },
      { states: ['awaiting_payment'], rebuiltAt: past, sessionId: 'cs_1', cancelRequestedBy: 'buyer' },
    ],
  ],
  ['reserve', [{ states: ['placed', 'placed'], reserved: false }]],
  ['begin_bid', [{ states: ['placed'], reserved: false, orderKind: 'offer' }]],
  [
    'abandon',
    [
      { states: ['placed'], reserved: false, cancelRequestedBy: 'timeout' },
      { states: ['placed'], reserved: false, cancelRequestedBy: 'timeout', orderKind: 'offer' },
    ],
  ],
  ['open_session', [{ states: ['placed'] }, { states: ['placed'], cancelRequestedBy: 'buyer' }]],
  ['poll_session', [{ states: ['awaiting_payment'], sessionId: 'cs_1' }]],
  ['expire_session', [{ states: ['awaiting_payment'], sessionId: 'cs_1', cancelRequestedBy: 'seller' }]],
  [
    'release_bid',
    (['buyer', 'operator', 'dispute', 'suspension', 'account'] as const).map((cancelRequestedBy) => ({
      states: ['held'],
      orderKind: 'offer',
      money: 'held',
      cancelRequestedBy,
    })),
  ],
  [
    'place_bid',
    [
      { states: ['held'], orderKind: 'offer', money: 'held' },
      { states: ['held'], orderKind: 'offer', money: 'held', cancelRequestedBy: 'seller' },
      { states: ['held'], orderKind: 'offer', money: 'held', rebuiltAt: past },
    ],
  ],
  [
    'stop_delivery',
    [
      { states: ['delivering', 'released'], money: 'held', deliverBy: past },
      { states: ['authorised'], money: 'held', deliverBy: later, cancelRequestedBy: 'buyer' },
      { states: ['authorised', 'delivering'], money: 'held', deliverBy: later, cancelRequestedBy: 'dispute' },
      { states: ['authorised'], money: 'lapsed', deliverBy: later },
      { states: ['delivering'], money: 'lapsed', deliverBy: later },
      { states: ['delivering'], money: 'held', deliverBy: later, cancelRequestedBy: 'buyer' },
    ],
  ],
  [
    'watch_delivery',
    [
      { states: ['authorised'], money: 'held', deliverBy: later },
      { states: ['authorised'], money: 'held', deliverBy: later, cancelRequestedBy: 'seller' },
      { states: ['delivered', 'delivering'], money: 'held', deliverBy: later },
    ],
  ],
  ['prepare_capture', [{ states: ['delivered', 'released'], money: 'held' }]],
  [
    'capture',
    [
      { states: ['delivered'], money: 'held', captureRequestedAt: past },
      { states: ['capture_due'], money: 'held', captureRequestedAt: past },
    ],
  ],
  ['cancel_hold', [{ states: ['released'], money: 'held', sessionId: 'cs_1' }]],
  ['write_off', [{ states: ['capture_due', 'released'], money: 'lapsed' }]],
  [
    'recheck_session',
    [
      { states: ['released'], money: 'released', sessionId: 'cs_1' },
      { states: ['released'], intentId: 'pi_1' },
    ],
  ],
  [
    'done',
    [
      { states: ['released'] },
      { states: ['completed', 'released'], money: 'captured', sessionId: 'cs_1' },
      { states: ['written_off'], money: 'lapsed', sessionId: 'cs_1' },
    ],
  ],
]

test.each(rows)('the next step is %s', (step, cases) => {
  for (const each of cases) expect([stepOf(each), each]).toEqual([step, each])
})

test('every step of the sale has a case here', () => {
  expect(rows.map(([step]) => step).sort()).toEqual([...sale.map(({ step }) => step), 'done'].sort())
})

/** The states of a line from before a step to after it, and the order then. */
type Outcome = { line: LineState[] } & Partial<Order>

const [open, held, lapsed] = [{ sessionId: 'cs_1' }, { money: 'held', deliverBy: later }, { money: 'lapsed' }] as const
const ofOffer = { orderKind: 'offer', money: 'held' } as const
const paid: Outcome[] = [
  { line: ['awaiting_payment', 'held'], ...ofOffer },
  { line: ['awaiting_payment', 'held'], ...ofOffer, cancelRequestedBy: 'buyer' },
  { line: ['awaiting_payment', 'held', 'authorised'], ...held },
  { line: ['awaiting_payment', 'held', 'released'], ...open },
  { line: ['awaiting_payment', 'authorised'], ...held },
  { line: ['awaiting_payment', 'authorised'], ...held, deliverBy: past },
  { line: ['awaiting_payment', 'authorised', 'delivering'], ...held },
  { line: ['awaiting_payment', 'authorised', 'delivering', 'delivered'], ...held },
  { line: ['awaiting_payment', 'authorised', 'delivering', 'delivered'], ...lapsed },
  { line: ['awaiting_payment', 'authorised', 'released'], ...held },
  { line: ['awaiting_payment', 'released'], ...open },
]

/** By step or reporter: every transition that it makes, and everything that may be due afterwards. */
const outcomes: Record<string, Outcome[]> = {
  reserve: [{ line: ['placed'] }, { line: ['placed', 'released'] }],
  begin_bid: [
    { line: ['placed'], orderKind: 'offer' },
    { line: ['placed', 'released'], orderKind: 'offer' },
  ],
  abandon: [{ line: ['placed', 'released'] }],
  open_session: [
    { line: ['placed', 'awaiting_payment'], ...open },
    { line: ['placed', 'awaiting_payment'], ...open, cancelRequestedBy: 'buyer' },
    { line: ['placed', 'released'] },
  ],
  poll_session: paid,
  expire_session: paid.map((outcome) => ({ cancelRequestedBy: 'seller', ...outcome })),
  rebuild: [
    { line: ['placed', 'awaiting_payment'], rebuiltAt: past, ...open },
    { line: ['placed', 'released'], rebuiltAt: past },
    ...paid.map((outcome) => ({ ...outcome, rebuiltAt: past })),
  ],
  release_bid: [
    { line: ['held', 'released'], ...ofOffer },
    { line: ['held'], ...ofOffer },
    { line: ['held', 'authorised'], ...held },
    { line: ['held', 'authorised'], ...held, cancelRequestedBy: 'operator' },
    { line: ['held', 'authorised', 'delivering', 'delivered'], ...held },
    { line: ['held', 'authorised', 'delivering', 'delivered'], ...lapsed },
    { line: ['held', 'released'], ...open },
  ],
  place_bid: [
    { line: ['held'], ...ofOffer },
    { line: ['held', 'authorised'], ...held },
    { line: ['held', 'authorised', 'delivering'], ...held, deliverBy: past },
    { line: ['held', 'authorised', 'delivering', 'delivered'], ...held },
    { line: ['held', 'authorised', 'delivering', 'delivered'], ...lapsed },
    { line: ['held', 'released'], ...ofOffer },
    { line: ['held', 'released'], ...open },
  ],
  stop_delivery: [
    { line: ['authorised', 'delivering'], ...held },
    { line: ['delivering', 'delivered'], ...held },
    { line: ['delivering', 'delivered'], ...lapsed },
    { line: ['authorised', 'released'], ...held },
    { line: ['delivering', 'released'], ...open },
  ],
  watch_delivery: [
    { line: ['delivering'], ...held },
    { line: ['delivering'], ...lapsed },
  ],
  prepare_capture: [{ line: ['delivered'], ...held, captureRequestedAt: now }],
  capture: [
    { line: ['delivered', 'completed'], money: 'captured' },
    { line: ['delivered', 'capture_due'], ...held, captureRequestedAt: now },
    { line: ['capture_due'], ...lapsed },
    { line: ['capture_due', 'completed', 'refunded'], money: 'captured' },
    { line: ['capture_due', 'completed', 'disputed'], money: 'captured' },
  ],
  cancel_hold: [{ line: ['released'], money: 'released', ...open }],
  write_off: [
    { line: ['delivered', 'written_off'], ...lapsed },
    { line: ['capture_due', 'written_off'], ...lapsed },
  ],
  recheck_session: [
    { line: ['released'], ...open },
    { line: ['released'], ...open, ...held },
  ],
}

/** Transitions, as `from > to`. */
const listed = (moves: Partial<Record<LineState, readonly LineState[]>>) =>
  Object.entries(moves).flatMap(([from, all]) => all.map((to) => `${from} > ${to}`))
const madeBy = (each: Outcome[]) =>
  new Set(each.flatMap(({ line }) => line.slice(1).map((to, index) => `${line[index]} > ${to}`)))

test.each(sale)('$step makes the transitions that it names, and is followed by the steps that it names', (each) => {
  const { step, moves, next } = each
  const made = outcomes[step]!
  expect([...madeBy(made)].sort()).toEqual(listed(moves).sort())
  const followers = new Set(made.map(({ line, ...order }) => stepOf({ states: [line.at(-1)!], ...order })))
  expect([...followers].filter((name) => name !== 'done' && name !== step).sort()).toEqual([...next].sort())
})

test('minting and the processor report these transitions', () => {
  expect(Object.values(reported).flatMap(listed).sort()).toEqual(
    [
      'authorised > delivering',
      'authorised > delivering',
      'delivering > delivered',
      'authorised > released',
      'delivering > released',
      'completed > refunded',
      'completed > disputed',
      'refunded > completed',
      'disputed > completed',
    ].sort(),
  )
})

test('every step that only repairs or ends a sale follows another one', () => {
  const first = ['reserve', 'begin_bid', 'abandon', 'rebuild']
  const followers = new Set(sale.flatMap(({ next }) => next))
  expect([...followers, ...first].sort()).toEqual(sale.map(({ step }) => step).sort())
})

test.each(sale)('$step says in sentences what it does and what it compensates', ({ does, compensation }) => {
  for (const text of [does, compensation]) expect(text).toMatch(/^[A-Z][^.]+\b.*\.$/)
})

test('steps, minting and processor together make exactly the transitions of a line', () => {
  const moves = [...sale.map((step) => step.moves), ...Object.values(reported)]
  for (const from of lineStates)
    expect([from, new Set(moves.flatMap((each) => each[from] ?? []))]).toEqual([from, new Set(transitions[from])])
})
