import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mutants } from './list/list.ts'
import { apply } from './list/mutant.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../../../..', file), 'utf8')

test.each(mutants)(
  'the texts of the mutant $name are in their files once, and so are the titles of its tests',
  (mutant) => {
    expect(mutant.edits.length * mutant.tests.length).toBeGreaterThan(0)
    for (const edit of mutant.edits) expect(apply(read(edit.file), edit)).toContain(edit.replace)
    for (const { file, title } of mutant.tests) expect(read(file).split(`'${title}`)).toHaveLength(2)
  },
)

test('each mutant has a name of its own', () => {
  const names = mutants.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
