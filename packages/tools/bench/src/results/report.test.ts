import { expect, test } from 'vitest'
import { exitCodeOf, summaryOf, tableOf } from './report.ts'
import { atMost, atMostTimes, lineOf, notMeasured, type Target } from './target.ts'

const page: Target = { number: 3, name: 'item page', unit: 'µs', limit: atMostTimes(1.6) }
const idle: Target = { number: 12, name: 'idle', unit: 'ms/s', limit: atMost(5) }

const met = lineOf('market', { target: page, figure: 75, baseline: 50 })
const missed = lineOf('idle', { target: idle, figure: 1_234 })
const missing = notMeasured('idle', idle, 'short form')
const other = lineOf('start', { name: 'first start', unit: 'ms', figure: 2.5 })

test.each([
  ['every target is met', [], [met, other], 0],
  ['a target is missed', [], [met, missed], 1],
  ['a target is not measured', [], [met, missing], 0],
  ['a part failed', [{ part: 'idle', error: 'no broker' }], [met, missing], 2],
  ['a part failed and a target is missed', [{ part: 'idle', error: 'no broker' }], [missed], 2],
])('the exit code when %s', (_when, failed, lines, code) => expect(exitCodeOf({ failed, lines })).toBe(code))

test('the table has the targets by number, then the figures without one, in aligned columns', () => {
  expect(tableOf([other, missed, met, missing])).toBe(
    [
      ' #  part    what         figure  unit  baseline  ratio  target    outcome',
      ' 3  market  item page        75  µs          50    1.5  ≤ 1.6 ×   met',
      '12  idle    idle          1,234  ms/s                   ≤ 5 ms/s  missed',
      '12  idle    idle                 ms/s                   ≤ 5 ms/s  not measured: short form',
      '    start   first start     2.5  ms',
    ].join('\n'),
  )
})

test('the summary counts targets only', () => {
  expect(summaryOf([met, missed, missing, other])).toBe('1 met, 1 missed, 1 not measured')
})
