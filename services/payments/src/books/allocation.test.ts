import { expect, test } from 'vitest'
import { allocate } from './allocation.ts'

const line = (id: string, capturedCents: number) => ({ id, capturedCents })
const withdrawal = (id: string, withdrawnCents: number, lineIds: string[] | null = null) => ({
  id,
  withdrawnCents,
  lineIds,
})
const part = (reversalId: string, lineId: string, cents: number) => ({ reversalId, lineId, cents })

test('a withdrawal takes from its named lines, whatever else was withdrawn before', () => {
  const { parts, ambiguous } = allocate(
    [line('a', 1_000), line('b', 500)],
    [withdrawal('first', 1_000), withdrawal('named', 500, ['a'])],
  )
  expect(parts).toEqual([part('named', 'a', 500), part('first', 'a', 500), part('first', 'b', 500)])
  expect(ambiguous).toEqual([])
})

test('a part of several lines is ambiguous until they are named', () => {
  const lines = [line('a', 1_000), line('b', 500)]
  expect(allocate(lines, [withdrawal('part', 700)]).ambiguous).toEqual(['part'])
  expect(allocate(lines, [withdrawal('part', 700, ['a'])]).ambiguous).toEqual([])
})

test('a part of the only line with something left, and all that is left, are not ambiguous', () => {
  expect(allocate([line('a', 1_000)], [withdrawal('part', 700)]).ambiguous).toEqual([])
  expect(allocate([line('a', 1_000), line('b', 500)], [withdrawal('all', 1_500)]).ambiguous).toEqual([])
  expect(
    allocate([line('a', 1_000), line('b', 500)], [withdrawal('one', 1_000, ['a']), withdrawal('two', 200)]).ambiguous,
  ).toEqual([])
})

test('nothing that was withdrawn is ambiguous, or has a part', () => {
  expect(allocate([line('a', 1_000), line('b', 500)], [withdrawal('won', 0)])).toEqual({ parts: [], ambiguous: [] })
})

test('what exceeds the lines goes to the first of them: the parts add up to what was withdrawn', () => {
  expect(allocate([line('a', 1_000), line('b', 500)], [withdrawal('both', 1_700)]).parts).toEqual([
    part('both', 'a', 1_200),
    part('both', 'b', 500),
  ])
})

test('a withdrawal whose named lines were never captured takes from the others', () => {
  const { parts } = allocate([line('a', 1_000), line('b', 0)], [withdrawal('named', 300, ['b'])])
  expect(parts).toEqual([part('named', 'a', 300)])
})
