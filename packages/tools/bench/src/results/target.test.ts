import { expect, test } from 'vitest'
import {
  atLeast,
  atLeastTimes,
  atMost,
  atMostTimes,
  type Limit,
  lineOf,
  linesOf,
  outcomeOf,
  type Target,
  withoutTargets,
} from './target.ts'

const target = (limit: Limit): Target => ({ number: 3, name: 'item page: CPU', unit: 'µs', limit })

test.each([
  [atMost(5), 5, null, 'met'],
  [atMost(5), 5.01, null, 'missed'],
  [atLeast(40), 40, null, 'met'],
  [atLeast(40), 39.9, null, 'missed'],
  [atMostTimes(1.25), 125, 1.25, 'met'],
  [atMostTimes(1.25), 1, 1.26, 'missed'],
  [atLeastTimes(0.5), 1, 0.5, 'met'],
  [atLeastTimes(0.5), 900, 0.49, 'missed'],
  [atMostTimes(2), 1, null, 'not measured'],
  [atMost(2), Number.NaN, null, 'not measured'],
  [atLeast(2), Number.POSITIVE_INFINITY, null, 'not measured'],
] as const)('%j of %d, ratio %d: %s', (limit, figure, ratio, expected) =>
  expect(outcomeOf(limit, figure, ratio)).toBe(expected),
)

test('a line has the ratio of figure and baseline, and the limit in words', () => {
  expect(lineOf('market', { target: target(atMostTimes(1.6)), figure: 75, baseline: 50 })).toEqual({
    target: 3,
    part: 'market',
    name: 'item page: CPU',
    figure: 75,
    unit: 'µs',
    baseline: 50,
    ratio: 1.5,
    limit: '≤ 1.6 ×',
    outcome: 'met',
    note: null,
  })
  expect(lineOf('market', { target: target(atMost(200)), figure: 201 })).toMatchObject({
    baseline: null,
    ratio: null,
    limit: '≤ 200 µs',
    outcome: 'missed',
  })
})

test('the comparison is made before rounding', () => {
  const line = lineOf('market', { target: target(atMostTimes(1.25)), figure: 125.04, baseline: 100 })
  expect(line).toMatchObject({ figure: 125, ratio: 1.25, outcome: 'missed' })
})

test('a figure without a target is neither met nor missed', () => {
  expect(lineOf('start', { name: 'first start', unit: 'ms', figure: 41_234.5 })).toMatchObject({
    target: null,
    figure: 41_235,
    limit: null,
    outcome: 'no target',
  })
})

test('a baseline of zero, which nothing can be compared with, leaves the target unmeasured', () => {
  const line = lineOf('events', { target: target(atMostTimes(3)), figure: 5, baseline: 0 })
  expect(line).toMatchObject({ ratio: null, outcome: 'not measured' })
})

test('a part has a line for each of its targets, those without a figure with the reason', () => {
  const [measured, missing] = [target(atMost(1)), { ...target(atMost(2)), number: 4 }]
  const lines = linesOf({ name: 'idle', targets: [measured, missing] }, [{ target: measured, figure: 1 }], 'short form')
  expect(lines).toMatchObject([
    { target: 3, outcome: 'met', note: null },
    { target: 4, figure: null, limit: '≤ 2 µs', outcome: 'not measured', note: 'short form' },
  ])
})

test('figures of another size are lines without a target, beside the target that is not measured', () => {
  const figures = withoutTargets([
    { target: target(atMostTimes(2)), figure: 30, baseline: 20 },
    { name: 'capacity', unit: '/s', figure: 4 },
  ])
  const lines = linesOf({ name: 'cold', targets: [target(atMostTimes(2))] }, figures, 'of another size by BENCH_WORKS')
  expect(lines).toMatchObject([
    { target: null, name: 'item page: CPU', figure: 30, baseline: 20, ratio: 1.5, outcome: 'no target' },
    { target: null, name: 'capacity', figure: 4 },
    { target: 3, figure: null, outcome: 'not measured', note: 'of another size by BENCH_WORKS' },
  ])
})
