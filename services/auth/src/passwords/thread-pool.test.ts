import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../../..')

/** Prints how many passwords of a flood were hashed when a file had been read three times. */
const script = `
  import { readFile } from 'node:fs/promises'
  import { createHasher } from ${JSON.stringify(join(import.meta.dirname, 'password.hash.ts'))}
  const hasher = await createHasher()
  let hashed = 0
  const flood = Array.from({ length: 24 }, () => hasher.verify(undefined, 'guess', '203.0.113.1').then(() => hashed++))
  await new Promise((resolve) => setImmediate(resolve))
  for (let time = 0; time < 3; time++) await readFile('package.json')
  console.log(hashed)
  await Promise.all(flood)`

test('files are read while passwords are hashed, with the number of threads that the store starts with', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const env = { ...process.env, UV_THREADPOOL_SIZE: /UV_THREADPOOL_SIZE=(\d+)/.exec(scripts.start)?.[1] }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env,
  })
  // With Node's four threads each read waits for four hashes.
  expect(Number(stdout)).toBeLessThan(8)
})
