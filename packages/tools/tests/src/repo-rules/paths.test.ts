import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commentsOf } from './comments.ts'
import { folderPairs } from './imports.ts'
import { root, sources } from './tree.ts'

const MAX_FOLDER_PAIRS = 2

/**
 * The contracts, tests and what only tests use. Campaigns, benchmarks and the test kit call endpoints of the contracts.
 */
const mayNamePaths = /^packages\/(api|tools\/tests)\/|\.test\.tsx?$|\.bench\.ts$|(^|\/)testing(\/|\.ts$)/

/** Except those of the mailbox, which is a third party's server with an API of its own. */
const literalPath = /(?<=['"`}])(?<!mailboxUrl\})\/(api|internal)\//

test('code outside of the contracts and tests names no path of an endpoint', () => {
  const found = sources
    .filter((file) => !mayNamePaths.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const inComments = new Set(commentsOf(file, text).map(({ line }) => line))
      return text
        .split('\n')
        .flatMap((line, index) =>
          literalPath.test(line) && !inComments.has(index + 1) && !/^\s*(import|export)\b.*from/.test(line)
            ? [`${file}:${index + 1}: ${line.trim()}`]
            : [],
        )
    })
  expect(found).toEqual([])
})

test('few pairs of folders import values from each other', () => {
  const pairs = folderPairs().map(({ folders }) => folders.join(' <> '))
  expect(pairs.length, pairs.join('\n')).toBeLessThanOrEqual(MAX_FOLDER_PAIRS)
})
