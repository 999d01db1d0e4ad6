import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commentsOf } from './comments.ts'
import { files, root, sources } from './tree.ts'

const topLevel =
  /^(\..+|services|gateway|web|packages|deploy|README\.md|package\.json|pnpm-workspace\.yaml|pnpm-lock\.yaml|tsconfig\.base\.json|LICENSE|CONTRIBUTING\.md|SECURITY\.md|CHANGELOG\.md)$/

test('the top level holds what belongs there', () => {
  expect([...new Set(files.map((file) => file.split('/')[0]!))].filter((name) => !topLevel.test(name))).toEqual([])
})

test('no file is named utils, misc, helpers or common', () => {
  expect(files.filter((file) => /(^|\/)(utils?|misc|helpers?|common)(\/|\.[jt]sx?$)/.test(file))).toEqual([])
})

const MAX_COLUMNS = 120

test('no comment is wider than 120 columns', () => {
  const wide = sources.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const lines = text.split('\n')
    return commentsOf(file, text)
      .filter(({ line }) => {
        const found = lines[line - 1] ?? ''
        // An address cannot be wrapped, nor a row of a table.
        return found.length > MAX_COLUMNS && !/https?:\/\//.test(found) && !/^\s*\*\s*\|/.test(found)
      })
      .map(({ line }) => `${file}:${line}`)
  })
  expect(wide).toEqual([])
})

test('no test is left out, and nothing is silenced', () => {
  const words = new RegExp(
    ['\\b(it|test|describe)\\.(only|skip|todo)\\(', '@ts-ignore', 'biome-ignore', '\\bTODO\\b', '\\bFIXME\\b'].join(
      '|',
    ),
  )
  expect(
    sources.filter((file) => !file.endsWith('tidy.test.ts') && words.test(readFileSync(join(root, file), 'utf8'))),
  ).toEqual([])
})

test('no large file and no secret is committed', () => {
  expect(files.filter((file) => statSync(join(root, file)).size > 1024 * 1024)).toEqual([])
  const secret = /-----BEGIN (EC |RSA |OPENSSH )?PRIVATE KEY-----\n[A-Za-z0-9+/]{20}|sk_live_[A-Za-z0-9]{8}/
  expect(sources.filter((file) => secret.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
