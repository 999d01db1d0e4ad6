import { expect, test } from 'vitest'
import { parts } from './parts.ts'
import * as targets from './targets.ts'

const groups = Object.values(targets).filter((group) => typeof group === 'object' && !Array.isArray(group))
const assigned = parts.flatMap((part) => part.targets)

test('every target belongs to one part', () => {
  expect(assigned.toSorted(byName)).toEqual(targets.targetsOf(groups).toSorted(byName))
  expect(new Set(assigned).size).toBe(assigned.length)
})

test('each of the targets 1 to 12 has lines, and a line has a name of its own', () => {
  expect([...new Set(assigned.map(({ number }) => number))].toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 12 }, (_, index) => index + 1),
  ])
  expect(new Set(assigned.map(({ name }) => name)).size).toBe(assigned.length)
})

const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name)
