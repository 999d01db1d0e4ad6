import { chmod, mkdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createApiClient } from '@nifty/testkit/api-client'
import { quickChain, type Store, startStore } from '@nifty/testkit/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operate } from './restored-store.ts'

let store: Store

beforeAll(async () => {
  store = await startStore({ works: 4, env: quickChain })
})

afterAll(async () => {
  await store?.remove()
})

const wordsOfStart = (options: Parameters<typeof startStore>[0]) =>
  startStore(options).then(
    () => 'it started',
    (error: Error) => error.message,
  )

const processes = async () => JSON.parse(await readFile(join(store.folder, 'processes.json'), 'utf8'))

test.each(['dependencies', 'chain'])(
  'the store exits with a message when its %s process is killed, and starts again',
  async (part) => {
    const ending = store.exit()
    process.kill((await processes())[part], 'SIGKILL')
    const { code, output } = await ending

    expect(code).toBe(1)
    expect(output).toContain('A dependency of the store ended')

    await store.restart()
    expect(await createApiClient(store.run).market()).toHaveLength(4)
  },
)

test('a store whose port is taken reports the port and the remedy', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as { port: number }

  expect(await wordsOfStart({ works: 4, env: { PORT: String(port) } })).toContain(
    `Port ${port} is in use by another program. Stop that, or set PORT.`,
  )
  other.close()
})

test.runIf(process.getuid?.() === 0)(
  'a data directory that PostgreSQL cannot enter is named in the error',
  async () => {
    const locked = join(store.folder, 'locked')
    await mkdir(locked)
    await chmod(locked, 0o700)

    expect(await wordsOfStart({ works: 4, env: { NIFTY_HOME: join(locked, 'home') } })).toContain(
      `"postgres", who has no access to ${join(locked, 'home')}`,
    )
  },
)

test('a store whose consumers cannot start exits with a message, also once it was ready', async () => {
  const { runSql, whileStopped } = operate(store)
  await store.stop()
  await whileStopped((url) => runSql(url, 'transport', 'alter table group_position rename to missing'))

  const output = await store.restart().then(
    async () => (await store.exit()).output,
    (error: Error) => error.message,
  )

  expect(output).toContain('Consumers and workers of the store did not start: relation "group_position" does not exist')
})
