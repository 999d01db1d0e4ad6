import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { files, root } from './tree.ts'

type Listed = { file: string; projectName: string }

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const listed: Listed[] = JSON.parse(
  execFileSync(
    process.execPath,
    [vitest, 'list', '--filesOnly', '--json', '--config', join(root, 'packages/vitest.config.ts')],
    { cwd: root, encoding: 'utf8' },
  ),
)

test('every test file runs in exactly one project', () => {
  const run = listed.map(({ file }) => relative(root, file)).sort()
  expect(run).toEqual(files.filter((file) => /\.test\.tsx?$/.test(file)).sort())
})

test('a unit test needs neither database nor network nor browser', () => {
  const unit = listed.filter(({ projectName }) => projectName === 'unit')
  expect(unit.length).toBeGreaterThan(20)
  for (const { file } of unit)
    expect(readFileSync(file, 'utf8'), relative(root, file)).not.toMatch(
      /from '(pg|kysely|kafkajs|ioredis|fastify|playwright-core)|createServer|\blisten\(/,
    )
})
