import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
import { writeResult } from './write-result.ts'

const run = (startedAt: string, line: string) => ({
  startedAt: new Date(startedAt),
  command: 'pnpm chaos kill',
  machine: '2 × a processor, Node v24',
  seconds: 12,
  lines: [line, 'all invariants held'],
})

test('runs of one UTC day are sections of one file, in the order in which they ended', async () => {
  const folder = join(await temporaryFolder('results'), 'results')
  await writeResult(folder, run('2026-11-25T01:02:03Z', 'purchases 199'))
  const file = await writeResult(folder, run('2026-11-25T23:59:59Z', 'purchases 200'))

  expect(file).toBe(join(folder, '2026-11-25.md'))
  const text = await readFile(file, 'utf8')
  expect(text.match(/^# .*/gm)).toEqual(['# 2026-11-25'])
  expect(text.match(/^## .*/gm)).toEqual(['## 01:02 UTC: `pnpm chaos kill`', '## 23:59 UTC: `pnpm chaos kill`'])
  expect(text).toContain('2 × a processor, Node v24, 12 s, load ')
  expect(text).toContain('```\npurchases 200\nall invariants held\n```')
})

test('runs of different days are different files', async () => {
  const folder = await temporaryFolder('results')
  await writeResult(folder, run('2026-11-25T23:59:59Z', 'a'))
  await writeResult(folder, run('2026-11-26T00:00:00Z', 'b'))

  expect((await readdir(folder)).sort()).toEqual(['2026-11-25.md', '2026-11-26.md'])
})
