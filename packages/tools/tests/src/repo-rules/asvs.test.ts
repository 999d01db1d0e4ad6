import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './tree.ts'

const text = readFileSync(join(root, '.github/ASVS.md'), 'utf8')

/** Requirements of ASVS 5.0.0 by level. */
const counts = { 1: 70, 2: 183 }
/** What the specification fixes. */
const openAtLevelOne = ['14.2.1']

const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| (.+?) \| (.*?) \| (.*?) \|$/gm)].map(
  ([, id = '', level = '', , status = '', why = '', tests = '']) => ({ id, level, status, why, tests }),
)

test('every requirement of levels 1 and 2 has one row', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  for (const [level, count] of Object.entries(counts))
    expect(rows.filter((row) => row.level === level)).toHaveLength(count)
})

test('a requirement is met by a test, not applicable for a reason, or open for a reason', () => {
  for (const { id, status, why, tests } of rows) {
    expect(['met', 'not applicable', 'open'], id).toContain(status)
    expect(status === 'met' ? tests : why, id).not.toBe('')
  }
})

test('at level 1 only what the specification fixes is open', () => {
  expect(rows.filter(({ level, status }) => level === '1' && status === 'open').map(({ id }) => id)).toEqual(
    openAtLevelOne,
  )
})

test('every test file that the page names exists', () => {
  const named = [...text.matchAll(/`([\w./-]+\.test\.tsx?)`/g)].map(([, file]) => file!)
  expect(named.length).toBeGreaterThan(100)
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
