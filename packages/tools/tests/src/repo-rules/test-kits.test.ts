import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sources } from './tree.ts'

const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
const isTest = (file: string) => /\.test\.tsx?$/.test(file)
const isKit = (file: string) => /\/testing(\.ts$|\/)/.test(file)

test('no test kit calls afterAll: inside a test, or in a module that files of a worker share, it never runs', () => {
  const kits = sources.filter(isKit)
  expect(kits.length).toBeGreaterThan(20)
  expect(kits.filter((file) => /\bafterAll\(/.test(textOf(file)))).toEqual([])
})

test('tests make folders by temporaryFolder, which removes them', () => {
  // These two depend on no package with it.
  const own = /^(web|packages\/tools\/card-sandbox)\//
  const tests = sources.filter((file) => (isTest(file) || isKit(file)) && !own.test(file))
  expect(tests.length).toBeGreaterThan(300)
  expect(tests.filter((file) => /\bmkdtemp(Sync)?\(join\(tmpdir/.test(textOf(file)))).toEqual([])
})
