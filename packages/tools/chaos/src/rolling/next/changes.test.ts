import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changed, changes } from './changes.ts'

const root = join(import.meta.dirname, '../../../../../..')

test.each(changes)('$file still has the place that the next version changes', (change) => {
  expect(changed(readFileSync(join(root, change.file), 'utf8'), change)).toContain(change.replace)
})

test('a place that is missing is named', () => {
  expect(() => changed('other text', changes[0]!)).toThrow(changes[0]!.file)
})
