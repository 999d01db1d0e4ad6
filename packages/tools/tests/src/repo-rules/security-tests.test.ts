import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './tree.ts'

const FINDINGS = 24
const RULES = 18
const ATTACKS = 56

const text = readFileSync(join(root, '.github/SECURITY-TESTS.md'), 'utf8')
const rows = [...text.matchAll(/^\| ([SG]?\d+)(?:, (\d+))? \| .+? \| (.+?) \| (.*?) \|$/gm)].map(
  ([, first = '', second, tests = '', left = '']) => ({ ids: second ? [first, second] : [first], tests, left }),
)
const named = [...text.matchAll(/`([\w./-]+\.test\.tsx?)`: \*([^*]+)\*/g)].map(([, file, title]) => ({
  file: file!,
  title: title!,
}))

const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, place) => `${prefix}${place + 1}`)

test('every finding, rule and attack has one row, with its tests or the reason why it has none', () => {
  const all = [...numbered('S', FINDINGS), ...numbered('G', RULES), ...numbered('', ATTACKS)]
  expect(rows.flatMap(({ ids }) => ids).sort()).toEqual(all.sort())
  for (const { ids, tests, left } of rows) if (tests === 'none') expect(left, ids[0]).not.toBe('')
})

test.each(named)('$file has the test "$title"', ({ file, title }) => {
  expect(existsSync(join(root, file)), file).toBe(true)
  const source = readFileSync(join(root, file), 'utf8')
  expect(["'", '"', '`'].some((quote) => source.includes(quote + title))).toBe(true)
})
