import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

test('a log line begins with the name of its program, and what is no log line is written as it is', async () => {
  const program = `
    const { prettyOutput } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'logs.ts')).href)})
    process.stdin.pipe(prettyOutput('auth'))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const line = { level: 30, time: 1_700_000_000_000, pid: 7, hostname: 'here', name: 'auth', msg: 'ready', port: 3000 }
  child.stdin.end(`${JSON.stringify(line)}\nplain text\n`)
  const written = await text(child.stdout)
  await exited
  expect(written).toMatch(/^auth +\d\d:\d\d:\d\d\.000 INFO: ready\n {4}port: 3000\nplain text\n$/)
})
