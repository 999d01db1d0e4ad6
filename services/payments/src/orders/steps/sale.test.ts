import { lineStates } from '@nifty/api/payments/public'
import { expect, test } from 'vitest'
import type { Line, Order } from '../../db.ts'
import { transitions } from '../line.ts'
import { nextStep, reported, sale } from './sale.ts'

const now = new Date('2026-01-01T12:00:00Z')
const past = new Date('2026-01-01T11:00:00Z')
const later = new Date('2026-01-01T13:00:00Z')

type Case = { states: Line['state'][]; reserved?: boolean } & Partial<Order>

const stepOf = ({ states, reserved = true, ...changes }: Case) => {
  const order = {
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
  ['abandon', [{ states: ['placed'], reserved: false, cancelRequestedBy: 'timeout' }]],
  ['open_session', [{ states: ['placed'] }, { states: ['placed'], cancelRequestedBy: 'buyer' }]],
  ['poll_session', [{ states: ['awaiting_payment'], sessionId: 'cs_1' }]],
  ['expire_session', [{ states: ['awaiting_payment'], sessionId: 'cs_1', cancelRequestedBy: 'seller' }]],
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

test('every step that only repairs or ends a sale follows another one', () => {
  const first = ['reserve', 'abandon', 'rebuild']
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
