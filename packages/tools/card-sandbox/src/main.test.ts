import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import Stripe from 'stripe'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newDataDir } from './testing/sandbox.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Runs the command as a user does, without any variable. */
async function run(...args: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    env: { PATH, NODE_COMPILE_CACHE },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  return { child, output: () => output, exited: once(child, 'exit') }
}

test('the command starts a sandbox by flags alone, which the official client can use, and stops on SIGINT', async () => {
  const dataDir = await newDataDir()
  const { child, output, exited } = await run('--port', '0', '--data-dir', dataDir, '--secret-key', 'sk_test_mine')

  const port = await vi.waitUntil(() => /^ready http:\/\/localhost:(\d+)$/m.exec(output())?.[1], { timeout: 30_000 })
  const stripe = new Stripe('sk_test_mine', { host: 'localhost', port, protocol: 'http' })
  expect((await stripe.checkout.sessions.list()).data).toEqual([])

  child.kill('SIGINT')
  expect((await exited)[0]).toBe(0)
})

test('an unknown option ends the command with an error that names it', async () => {
  const { output, exited } = await run('--prot', '4242')

  expect((await exited)[0]).toBe(1)
  expect(output()).toContain("Unknown option '--prot'")
})
