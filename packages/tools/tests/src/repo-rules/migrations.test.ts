import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { files } from './tree.ts'

const migrations = Map.groupBy(
  files.filter((file) => /\/migrations\/.*\.sql$/.test(file)),
  (file) => dirname(file),
)

test('there are migrations', () => expect(migrations.size).toBeGreaterThan(4))

test.each([...migrations])('%s numbers each migration once, from 001 on', (_folder, sqlFiles) => {
  const numbers = sqlFiles.map((file) => basename(file).slice(0, 4)).sort()
  expect(numbers).toEqual(numbers.map((_, index) => `${String(index + 1).padStart(3, '0')}-`))
})
