import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './tree.ts'

const text = readFileSync(join(root, '.github/ASVS.md'), 'utf8')

/** Requirements of ASVS 5.0.0 by level. */
const counts = { 1: 70, 2: 183 }
/** What the specification fixes. */
const openAtLevelOne = ['14.2.1']

/** Items below a heading, up to the next one of the same level. Numbers in bold are of level 1. */
const itemsOf = (status: string) =>
  [...(text.split(`\n## ${status}\n`)[1] ?? '').split(/\n## /)[0]!.matchAll(/^- ([\d., *]+): (.+)$/gm)].map(
    ([, numbers = '', rest = '']) => ({ numbers: numbers.split(', '), rest }),
  )
const open = itemsOf('Open')
const met = itemsOf('Met')
const numbers = [...open, ...met, ...itemsOf('Not applicable')].flatMap((item) => item.numbers)
const isLevelOne = (number: string) => number.startsWith('**')

test('every requirement of levels 1 and 2 is listed once', () => {
  expect(new Set(numbers).size).toBe(numbers.length)
  expect(numbers.filter(isLevelOne)).toHaveLength(counts[1])
  expect(numbers.filter((number) => !isLevelOne(number))).toHaveLength(counts[2])
})

test('a requirement that is met has a test', () => {
  for (const item of met) expect(item.rest, item.numbers.join()).toMatch(/\.test\.tsx?`/)
})

test('at level 1 only what the specification fixes is open', () => {
  const found = open.flatMap((item) => item.numbers).filter(isLevelOne)
  expect(found).toEqual(openAtLevelOne.map((number) => `**${number}**`))
})

test('an attack has a test, or the reason why it has none', () => {
  const attacks = readFileSync(join(root, '.github/SECURITY-TESTS.md'), 'utf8').match(/^- .+$/gm)!
  expect(attacks.length).toBeGreaterThan(80)
  expect(attacks.filter((attack) => !/\.test\.tsx?`|: none: .+$/.test(attack))).toEqual([])
})

test.each(['ASVS.md', 'SECURITY-TESTS.md'])('every test file that %s names exists', (page) => {
  const named = [...readFileSync(join(root, '.github', page), 'utf8').matchAll(/`([\w./-]+\.test\.tsx?)`/g)]
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter(([, file]) => !existsSync(join(root, file!)))).toEqual([])
})
