import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commentsOf } from './comments.ts'
import { folderPairs } from './imports.ts'
import { root, sources } from './tree.ts'

const MAX_FOLDER_PAIRS = 6

/** The contracts, the seed of the demo that uses the API as a client does, and everything that only tests. */
const mayNamePaths = /^packages\/(api|testkit|tests|chaos|bench)\/|\.test\.tsx?$|\.bench\.ts$|(^|\/)testing(\/|\.ts$)/

test('code outside of the contracts and tests names no path of an endpoint', () => {
  const found = sources
    .filter((file) => !mayNamePaths.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      const inComments = new Set(commentsOf(file, text).map(({ line }) => line))
      return text
        .split('\n')
        .flatMap((line, index) =>
          /['"`}]\/(api|internal)\//.test(line) &&
          !inComments.has(index + 1) &&
          !/^\s*(import|export)\b.*from/.test(line)
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
