import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './tree.ts'

const text = readFileSync(join(root, '.github/FINDINGS.md'), 'utf8')
const rows = [...text.matchAll(/^\| ([UCMO]\d+) \| .+? \| (.+?) \| (.*?) \|$/gm)].map(
  ([, id = '', answer = '', tests = '']) => ({ id, answer, tests }),
)
const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`)

test('every finding has one row', () => {
  const operations = ['O1', 'O3', 'O4', 'O5', 'O6']
  expect(rows.map(({ id }) => id)).toEqual([
    ...numbered('U', 36),
    ...numbered('C', 33),
    ...numbered('M', 22),
    ...operations,
  ])
})

test.each(rows)('$id is mended by tests that exist, or has a reason', ({ answer, tests }) => {
  const named = [...tests.matchAll(/`([\w./-]+\.test\.ts)`: (.+?)(?=<br>|$)/g)]
  expect(named.length > 0 || answer !== 'mended').toBe(true)
  for (const [, file = '', name = ''] of named)
    expect(readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'")).toContain(name)
})
