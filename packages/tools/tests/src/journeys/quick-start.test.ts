import { execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endWithParent } from '@nifty/dev-servers/end-with-parent'
import { freePort } from '@nifty/dev-servers/free-port'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { beforeAll, expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../../../../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
/** What a stranger types: the shell blocks of the README, in their order. */
const commands = [...readme.matchAll(/```sh\n([^`]+)\n```/g)].map(([, command]) => command!)

const folder = await temporaryFolder('clone')
beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', root, join(folder, 'nifty')])
})

test('the README starts and tests the store with two commands', () => {
  expect(commands).toEqual(['npx pnpm start', 'npx pnpm test'])
})

test('in a fresh clone the first command brings the store up, Ctrl-C takes it down, and the next start finds it again', async () => {
  const port = await freePort()
  const home = join(folder, 'home')
  const start = () => {
    // NODE_ENV and the like of this test run are not a stranger's.
    const { PATH, HOME } = process.env
    const child = spawn('/bin/sh', ['-c', commands[0]!.replace('npx ', 'npx --yes ')], {
      cwd: join(folder, 'nifty'),
      env: { PATH: withoutOurs(PATH), HOME, PORT: String(port), NIFTY_HOME: home, DEMO_WORKS: '3' },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    endWithParent(child, 'SIGTERM', { group: true })
    let output = ''
    const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
    const ready = new Promise<void>((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        output += chunk
        if (output.includes(`ready http://localhost:${port}`)) resolve()
      }
      child.stdout.on('data', listen)
      child.stderr.on('data', listen)
      child.once('close', (code) => reject(new Error(`it ended with code ${code}:\n${output}`)))
    })
    const interrupt = () => process.kill(-child.pid!, 'SIGINT')
    onTestFinished(() => {
      if (child.exitCode === null && child.signalCode === null) interrupt()
    })
    return { ready, gone, interrupt }
  }
  const worksIn = async () => {
    const response = await fetch(`http://localhost:${port}/api/nfts/market?page=1&limit=200`)
    return ((await response.json()) as { total: number }).total
  }

  for (const _ of ['the first time', 'again']) {
    const store = start()
    await store.ready
    expect(await worksIn()).toBe(3)
    expect((await fetch(`http://localhost:${port}/`)).status).toBe(200)
    store.interrupt()
    await store.gone
    await expect(fetch(`http://localhost:${port}/healthz`)).rejects.toThrow()
  }
  const run = JSON.parse(readFileSync(join(home, 'run.json'), 'utf8'))
  expect(Object.keys(run).sort()).toEqual([
    'accounts',
    'cards',
    'chainId',
    'chainRpcUrl',
    'contracts',
    'mailboxUrl',
    'processorUrl',
    'url',
  ])
  expect(run.accounts.map(({ role }: { role: string }) => role)).toEqual([
    'creator',
    'creator',
    'collector',
    'collector',
    'collector',
  ])
})

/** The machine's own commands, without those of this workspace. */
const withoutOurs = (path = '') =>
  path
    .split(':')
    .filter((entry) => !entry.includes('node_modules'))
    .join(':')
