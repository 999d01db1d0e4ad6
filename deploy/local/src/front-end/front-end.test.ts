import { existsSync, globSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { builtFrontEnd } from './front-end.ts'

/** Inside of `web`, as `dist` is: Vite empties no folder outside. */
const parent = await mkdtemp(join(import.meta.dirname, '../../../../web/node_modules/.test-of-build-'))
const root = join(parent, 'dist')
afterAll(() => rm(parent, { recursive: true, force: true }))

test('a store that builds the front end keeps the files of one that has finished its build first', async () => {
  await builtFrontEnd(root)
  const scripts = globSync('assets/*.js', { cwd: root })
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of scripts) expect(globSync(`${script}*`, { cwd: root })).toHaveLength(3)

  const first = join(parent, 'first')
  await rename(root, first)
  const second = builtFrontEnd(root)
  await writeFile(join(first, 'first.txt'), '')
  await rename(first, root)
  await second

  expect(existsSync(join(root, 'first.txt'))).toBe(true)
})
