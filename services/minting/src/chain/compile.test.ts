import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compileContracts } from './compile.ts'

const cacheDir = mkdtempSync(join(tmpdir(), 'nifty-compile-'))
afterAll(() => rmSync(cacheDir, { recursive: true }))

test('compiled contracts are kept under the hash of their sources, and mended when half written', async () => {
  const first = await compileContracts({ cacheDir })
  const [file = '', ...others] = readdirSync(cacheDir)
  expect(file).toMatch(/^contracts-[0-9a-f]{16}\.json$/)
  expect(others).toEqual([])
  expect(Object.keys(first).sort()).toEqual(['NiftyCollection', 'NiftyDelivery'])

  writeFileSync(join(cacheDir, file), readFileSync(join(cacheDir, file), 'utf8').slice(0, 1000))
  expect(await compileContracts({ cacheDir })).toEqual(first)

  writeFileSync(join(cacheDir, file), '{"fromCache":{}}')
  expect(await compileContracts({ cacheDir })).toEqual({ fromCache: {} })
}, 30_000)

test('other sources are another entry', async () => {
  await compileContracts({ cacheDir, sources: ['IERC4494.sol'] })
  expect(readdirSync(cacheDir)).toHaveLength(2)
}, 30_000)
