import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { freePort } from '@nifty/dev-servers/free-port'
import { expect, onTestFinished, test } from 'vitest'
import { readPorts } from './ports.ts'

/** Runs `pnpm dev`; resolves with its end. */
const runDev = (env: NodeJS.ProcessEnv) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'main.ts')],
      { env: { ...process.env, ...env }, timeout: 20_000 },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })

test.each([
  ['WEB_PORT', 0, '127.0.0.1'],
  ['WEB_PORT', 1, '127.0.0.1'],
  ['WEB_PORT', 0, '0.0.0.0'],
  ['INSPECT_PORT', 3, '127.0.0.1'],
])('a port of %s that another program has ends `pnpm dev` before anything starts', async (variable, place, host) => {
  const first = await freePort()
  const other = createServer().listen(first + place, host)
  onTestFinished(() => void other.close())
  const { code, stdout, stderr } = await runDev({ WEB_PORT: '61000', INSPECT_PORT: '61010', [variable]: String(first) })
  const sentence = `Port ${first + place} is in use by another program. Stop that, or set ${variable}.\n`
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: sentence })
})

test('two clones have other ports for everything', () => {
  const portsOf = (env: NodeJS.ProcessEnv) => readPorts(env).all.map(({ port }) => port)
  const [one, other] = [portsOf({}), portsOf({ WEB_PORT: '5273', INSPECT_PORT: '9330' })]
  expect(one).toEqual([5173, 5174, 9230, 9231, 9232, 9233, 9234, 9235])
  expect(other.filter((port) => one.includes(port))).toEqual([])
})
