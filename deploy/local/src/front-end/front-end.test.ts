import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunning } from '@nifty/dev-servers/is-running'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { builtFrontEnd } from './front-end.ts'

/** Inside of `web`, as `dist` is: Vite empties no folder outside. */
const modules = join(import.meta.dirname, '../../../../web/node_modules')
const parent = await mkdtemp(join(modules, '.test-of-build-'))
const root = join(parent, 'dist')
afterAll(() => rm(parent, { recursive: true, force: true }))

test('a store that builds the front end keeps the files of one that has finished its build first', async () => {
  await builtFrontEnd(root)
  const scripts = globSync('assets/*.js', { cwd: root })
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of scripts) expect(globSync(`${script}*`, { cwd: root })).toHaveLength(3)

  const first = join(parent, 'first')
  await rename(root, first)
  const second = builtFrontEnd(root)
  await writeFile(join(first, 'first.txt'), '')
  await rename(first, root)
  await second

  expect(existsSync(join(root, 'first.txt'))).toBe(true)
})

/** The build that a process has started, and the folder that it writes. */
const buildOf = (parentPid: number) =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      const ppid = Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1])
      const [folder] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('--outDir\0')[1]?.split('\0') ?? []
      return ppid === parentPid && folder ? [{ pid: Number(pid), folder }] : []
    } catch {
      return []
    }
  })[0]

test('a launcher that ends while it builds the front end leaves neither the build nor its folder', async () => {
  const program = `import(${JSON.stringify(join(import.meta.dirname, 'front-end.ts'))}).then(({ builtFrontEnd }) => {
    void builtFrontEnd(${JSON.stringify(join(parent, 'another'))}).catch(() => {})
    process.stdin.once('data', () => process.exit())
  })`
  const launcher = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'inherit', 'inherit'] })
  onTestFinished(() => void launcher.kill('SIGKILL'))
  const build = (await vi.waitUntil(() => buildOf(launcher.pid!), { timeout: 60_000 }))!

  launcher.stdin.write('end')
  await once(launcher, 'exit')

  await vi.waitUntil(() => !isRunning(build.pid), { timeout: 60_000 })
  expect(existsSync(build.folder)).toBe(false)
})
