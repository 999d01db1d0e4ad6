import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { expect, test } from 'vitest'
import { compileContracts } from './compile.ts'

const cacheDir = await temporaryFolder('compile')

/** Quick to compile. */
const sources = ['IERC4494.sol']

test('compiled contracts are cached by the hash of their sources; a truncated cache file is replaced', async () => {
  const first = await compileContracts({ cacheDir, sources })
  const [file = '', ...others] = readdirSync(cacheDir)
  expect(file).toMatch(/^contracts-[0-9a-f]{16}\.json$/)
  expect(others).toEqual([])
  expect(Object.keys(first)).toEqual(['IERC4494'])

  writeFileSync(join(cacheDir, file), readFileSync(join(cacheDir, file), 'utf8').slice(0, 100))
  expect(await compileContracts({ cacheDir, sources })).toEqual(first)

  writeFileSync(join(cacheDir, file), '{"fromCache":{}}')
  expect(await compileContracts({ cacheDir, sources })).toEqual({ fromCache: {} })
})

test('other sources are a cache entry of their own', async () => {
  await compileContracts({ cacheDir, sources: ['Batch.sol'] })
  expect(readdirSync(cacheDir)).toHaveLength(2)
})
