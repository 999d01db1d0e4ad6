import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testServerUrl } from '../testing/database.ts'

const program = join(import.meta.dirname, '../testing/service-process.ts')
const sentence = /The database shop-.* belongs to the store gallery\. This is the store staging .*RESOURCE_PREFIX/

async function run(args: string[], settings: { STORE_ID: string; RESOURCE_PREFIX: string }) {
  const env = {
    ...settings,
    POSTGRES_URL: testServerUrl(),
    AUTH_INTERNAL_URL: 'http://localhost:2',
    NOTIFICATION_TO_AUTH_KEYS: randomUUID(),
    PUBLIC_URL: 'http://localhost:1',
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  }
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const [code] = await once(child, 'close')
  return { code, output }
}

test.each([
  ['migrate', ['migrate']],
  ['start', []],
])("a process that finds another store's database ends with one line in its log: %s", async (_what, args) => {
  const RESOURCE_PREFIX = `shop-${randomUUID().slice(0, 8)}`
  expect(await run(['migrate'], { RESOURCE_PREFIX, STORE_ID: 'gallery' })).toMatchObject({ code: 0 })

  const { code, output } = await run(args, { RESOURCE_PREFIX, STORE_ID: 'staging' })
  expect(output).not.toMatch(/^ +at /m)
  expect(code).toBe(1)
  const last = JSON.parse(output.trim().split('\n').at(-1)!)
  expect(last).toMatchObject({ level: 60, name: 'notification', msg: expect.stringMatching(sentence) })
})
