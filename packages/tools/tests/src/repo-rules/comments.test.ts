import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { commentsOf } from './comments.ts'
import { countPersonWords, perThousand } from './person-words.ts'
import { files, root } from './tree.ts'

const MAX_PERSON_WORDS_PER_THOUSAND = 3

/** Documents that are kept elsewhere: a comment gives the reason itself. */
const foreignDocuments =
  /\b(reliability-and-security|product-spec|card-processor|house-style|stack-notes)\b|\bdesign: "/
const documents = files.filter((file) => file.endsWith('.md'))

const missingDocuments = (file: string, text: string) =>
  (text.match(/[\w./-]+\.md\b/g) ?? []).filter(
    (name) =>
      !existsSync(join(root, dirname(file), name)) &&
      !existsSync(join(root, name)) &&
      !documents.some((document) => basename(document) === name),
  )

test('a comment refers to no document that is not in the repository', () => {
  const found = files
    .filter((file) => /\.(tsx?|sql|ya?ml|tpl|sol|css)$/.test(file) && !file.endsWith('comments.test.ts'))
    .flatMap((file) =>
      commentsOf(file, readFileSync(join(root, file), 'utf8'))
        .filter(({ text }) => foreignDocuments.test(text) || missingDocuments(file, text).length > 0)
        .map(({ line, text }) => `${file}:${line}: ${text.trim()}`),
    )
  expect(found).toEqual([])
})

test('comments name code by what it does, not as a person', () => {
  const counts = countPersonWords().filter((count) => perThousand(count) > MAX_PERSON_WORDS_PER_THOUSAND)
  const found = counts.flatMap(({ hits }) =>
    hits.map(({ file, line, words }) => `${file}:${line}: ${words.join(', ')}`),
  )
  expect(found).toEqual([])
})

test.each([
  ['a.ts', "const a = 'no // comment' // one\n/* two\n * three */ /\\/\\/ four/.test(a)", ['one', 'two', 'three']],
  ['a.sql', 'select 1 -- one\n', ['one']],
  ['a.yaml', 'a: b # one\n# two', ['one', 'two']],
])('the comments of %s are found', (file, text, comments) => {
  expect(commentsOf(file, text).map((comment) => comment.text.trim())).toEqual(comments)
})
