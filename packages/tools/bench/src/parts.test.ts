import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parts } from './parts.ts'
import * as targets from './run/targets.ts'

const groups = Object.values(targets).filter((group) => typeof group === 'object' && !Array.isArray(group))
const assigned = parts.flatMap((part) => part.targets)

test('every target belongs to one part', () => {
  expect(assigned.toSorted(byName)).toEqual(targets.targetsOf(groups).toSorted(byName))
  expect(new Set(assigned).size).toBe(assigned.length)
})

test('each of the targets 1 to 15 has lines, and a line has a name of its own', () => {
  expect([...new Set(assigned.map(({ number }) => number))].toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 15 }, (_, index) => index + 1),
  ])
  expect(new Set(assigned.map(({ name }) => name)).size).toBe(assigned.length)
})

test.each(parts)('$name declares the variables that replace its sizes', (part) => {
  const folder = join(import.meta.dirname, part.name === 'market-one-process' ? 'market' : part.name)
  const text = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  const read = [...text.join('').matchAll(/sizes?Of\('(BENCH_\w+)'/g)].map(([, name]) => name)
  expect(read.toSorted()).toEqual((part.sizes ?? []).toSorted())
})

const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name)
