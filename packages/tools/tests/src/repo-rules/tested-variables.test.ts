import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settings } from '../deploy/variables.ts'
import { root, sources } from './tree.ts'

/** Tests and their set-up; not this folder, which looks at names only. */
const isTest = (file: string) =>
  /\.test\.tsx?$|\/testing\/|^packages\/tools\/tests\//.test(file) &&
  !file.startsWith('packages/tools/tests/src/repo-rules/')

test('every setting of a service or the gateway is named by a test', () => {
  expect(settings.length).toBeGreaterThan(70)
  const named = new Set(
    sources
      .filter(isTest)
      .flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)*\b/g) ?? []),
  )
  expect(settings.filter((name) => !named.has(name))).toEqual([])
})
