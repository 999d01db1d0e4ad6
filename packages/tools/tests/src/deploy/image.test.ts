import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { internalUrlVariable, programs, serviceNames } from '@nifty/api/services'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { HEAP, processSettings } from '@nifty/service-kit/base/process-settings'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { packages } from '../repo-rules/packages.ts'
import { root } from '../repo-rules/tree.ts'
import { settingsOfShop } from './settings-file.ts'
import { findTools } from './tools.ts'

const text = (file: string) => readFileSync(join(root, file), 'utf8')
const dockerfile = text('deploy/Dockerfile')
const measuredPayments = text('packages/tools/bench/src/reconciliation/payments-process.ts')
const compose = parse(text('deploy/compose.yaml'), { merge: true })
const components = [...programs, 'ops', 'local']
const tools = await findTools()

test.each(components)('%s is one package with the program that the Dockerfile starts', (component) => {
  const places = packages.filter(({ name }) => name === `@nifty/${component}`).map(({ folder }) => folder)
  expect(places).toHaveLength(1)
  expect(existsSync(join(root, places[0]!, 'src/main.ts'))).toBe(true)
})

test('the image of the store has the program of the one-process store on real parts', () => {
  expect(dockerfile).toContain('"../$(cat ../folder)/src/store" service/src')
  expect(existsSync(join(root, 'deploy/local/src/store/main.ts'))).toBe(true)
})

test('what git ignores stays out of the context of a build', () => {
  const made = text('.gitignore').trim().split('\n')
  const left = text('.dockerignore').split('\n')
  expect(left).toEqual(expect.arrayContaining(made.map((pattern) => `**/${pattern.replace(/\/$/, '')}`)))
})

test('an image has the Node version that the store is tested with, and an unprivileged user', () => {
  const { devDependencies } = JSON.parse(text('package.json'))
  expect(dockerfile).toContain(`ARG NODE_VERSION=${devDependencies.node}\n`)
  expect(/\nUSER (\d+)/.exec(dockerfile)?.[1]).toBe('1000')
})

const startScript = JSON.parse(text('package.json')).scripts.start as string

test.each([
  ['pnpm start', startScript],
  ['the image', dockerfile],
  ['the local processes and the benchmarks', text('packages/service-kit/src/base/process-settings.ts')],
])('%s has the settings of malloc, threads and compiled code of all', (_what, settings) => {
  expect(settings).toMatch(/MALLOC_ARENA_MAX(=|: ')1/)
  expect(settings).toMatch(/MALLOC_MMAP_THRESHOLD_(=|: ')131072/)
  expect(settings).toMatch(/UV_THREADPOOL_SIZE(=|: ')12/)
  expect(settings).toMatch(/NODE_COMPILE_CACHE(=|: )/)
})

test.each([
  ['pnpm start', startScript, { semiSpace: 8, oldGeneration: 512 }],
  ['the store of a benchmark', processSettings(HEAP.store).arguments.join(' '), { semiSpace: 8, oldGeneration: 512 }],
  ['the local cluster', processSettings(HEAP.cluster).arguments.join(' '), { semiSpace: 2, oldGeneration: 256 }],
])('%s limits the heap as a container does', (_what, settings, { semiSpace, oldGeneration }) => {
  expect(settings).toContain(`--max-semi-space-size=${semiSpace} --max-old-space-size=${oldGeneration}`)
})

test.each(programs)(
  'without settings %s ends after its modules are loaded, by which an image fills its cache of compiled code',
  async (component) => {
    const cache = await temporaryFolder('compile-cache')
    const program = join(root, component === 'gateway' ? '' : 'services', component, 'src/main.ts')
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache }
    const { status } = spawnSync(process.execPath, ['--max-semi-space-size=2', program], { env, stdio: 'ignore' })
    expect(status).toBe(1)
    const [folder] = await readdir(cache)
    expect((await readdir(join(cache, folder!))).length).toBeGreaterThan(500)
  },
)

test.each(['auth', 'minting'])(
  'without a parent the image process of %s ends after its modules are loaded, which the image caches too',
  async (service) => {
    const cache = await temporaryFolder('compile-cache')
    expect(dockerfile).toContain('node --max-semi-space-size=2 service/src/image-process.main.ts')
    const program = join(root, 'services', service, 'src/image-process.main.ts')
    const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache }
    const { status } = spawnSync(process.execPath, ['--max-semi-space-size=2', program], { env })
    expect(status).toBe(0)
    const [folder] = await readdir(cache)
    expect((await readdir(join(cache, folder!))).length).toBeGreaterThan(10)
  },
)

test('the image has the semi-space of a process of the cluster', () => {
  expect(dockerfile).toContain('CMD ["node", "--max-semi-space-size=2", ')
})

test.each([
  'deploy/local/src/cluster/replica.ts',
  'packages/tools/bench/src/reconciliation/payments-process.ts',
  'packages/tools/testkit/src/store.ts',
  'packages/tools/bench/src/start/start.ts',
  'packages/tools/bench/src/start/service-alone.ts',
])('%s starts processes with these settings', (file) => {
  expect(text(file)).toMatch(/processSettings\(.*\)/)
  expect(text(file)).toMatch(/\.\.\.\w+\.env,/i)
  expect(text(file)).toMatch(/\w+\.arguments/i)
})

test('the benchmark of reconciliation has the heap that V8 takes in the container of payments: half of its limit', () => {
  const { memory } = parse(text('deploy/helm/values.yaml')).services.payments.resources.limits
  expect(measuredPayments).toContain(`OLD_GENERATION_MB = ${Number.parseInt(memory, 10) / 2}\n`)
})

describe.skipIf(!tools)('the Dockerfile', () => {
  test('passes the linter', () => {
    expect(() => execFileSync(tools!.hadolint, [join(root, 'deploy/Dockerfile')], { stdio: 'pipe' })).not.toThrow()
  })
})

type Container = { command?: string[]; build?: { args: { SERVICE: string } }; read_only?: boolean; user?: string }

const shop = parse(text('deploy/compose.shop.yaml'), { merge: true })

test('compose.shop.yaml runs the store and the tool read-only, and publishes the proxy alone', () => {
  const services = Object.entries<Container & { ports?: string[] }>(shop.services)
  const built = services.filter(([, { build }]) => build)
  expect(built.map(([, { build }]) => build!.args.SERVICE)).toEqual(['store', 'ops'])
  expect(built.map(([, { read_only }]) => read_only)).toEqual([true, true])
  expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['proxy'])
})

test("compose.shop.yaml gives the tool the store's internal ports in the order of the services", () => {
  const { INTERNAL_PORT } = shop.services.store.environment
  const urls = [...serviceNames.map(internalUrlVariable), 'GATEWAY_INTERNAL_URL'].map(
    (name) => shop.services.ops.environment[name],
  )
  expect(urls).toEqual(urls.map((_, index) => `http://127.0.0.1:${INTERNAL_PORT + index}`))
})

test('what compose.shop.yaml sets and takes from .env are settings, or said in its head', () => {
  const file = text('deploy/compose.shop.yaml')
  const settings = Object.values(settingsOfShop())
    .flat()
    .map(({ name }) => name)
  const set = Object.keys(shop.services.store.environment)
  const taken = [...file.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!)
  const said = file.slice(0, file.indexOf('name: shop'))
  expect([...set, ...taken].filter((name) => !settings.includes(name) && !said.includes(name))).toEqual([])
})

test('compose.yaml builds components that exist, read-only, and starts files that exist', () => {
  const built = Object.entries<Container>(compose.services).filter(([, { build }]) => build)
  expect(built.length).toBeGreaterThan(9)
  for (const [name, { build, read_only, command = [] }] of built) {
    expect(components, name).toContain(build!.args.SERVICE)
    expect(read_only, name).toBe(true)
    for (const file of command.filter((word) => word.endsWith('.ts')))
      expect(existsSync(join(root, file)), file).toBe(true)
  }
})
