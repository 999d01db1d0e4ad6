import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import { expect, test } from 'vitest'
import { allImports, fileCircles, valueImportsOf } from './imports.ts'
import { packageCycles, packages } from './packages.ts'
import { packageOf, root, sources } from './tree.ts'

const isTest = (file: string) => /\.test\.tsx?$|\/testing(\.ts$|\/)/.test(file)
const importsOf = (file: string, pattern = /(?:from|import\() ?'([^']+)'/g) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, name]) => name!)

const shared = ['@nifty/api', '@nifty/events']
const testServers = ['@nifty/card-sandbox', '@nifty/dev-servers']
const workspace = /^@nifty\//
/** What is deployed imports the tools; no tool imports what is deployed. */
const allButDeployed = /^@nifty\/(?!(local|office|ops)\b)/

/** What a package may import, and what its tests may import beside that. The first line that fits a folder counts. */
const allowed: { folder: RegExp; code: string[] | RegExp; tests?: string[] }[] = [
  {
    folder: /^services\/(auth|minting)$/,
    code: [...shared, '@nifty/service-kit', '@nifty/contracts'],
    tests: testServers,
  },
  {
    folder: /^services\/payments$/,
    code: [...shared, '@nifty/service-kit', '@nifty/content'],
    tests: testServers,
  },
  { folder: /^services\/[^/]+$/, code: [...shared, '@nifty/service-kit'], tests: testServers },
  {
    folder: /^gateway$/,
    code: [...shared, '@nifty/service-kit', '@nifty/site', '@nifty/content'],
    tests: testServers,
  },
  { folder: /^web\/site$/, code: ['@nifty/api', '@nifty/service-kit', '@nifty/content'] },
  { folder: /^packages\/content$/, code: ['@nifty/api'], tests: ['@nifty/dev-servers'] },
  { folder: /^web$/, code: ['@nifty/api'] },
  { folder: /^packages\/service-kit$/, code: shared, tests: testServers },
  { folder: /^packages\/contracts$/, code: ['@nifty/service-kit'], tests: ['@nifty/dev-servers'] },
  { folder: /^packages\/api$/, code: [] },
  { folder: /^packages\/events$/, code: ['@nifty/api'] },
  { folder: /^packages\/tools\/dev-servers$/, code: [] },
  { folder: /^packages\/tools\/card-sandbox$/, code: [] },
  { folder: /^packages\/tools\/demo-data$/, code: ['@nifty/api'] },
  { folder: /^packages\/tools\/(testkit|tests|bench|chaos)$/, code: allButDeployed },
  { folder: /^deploy\/office$/, code: ['@nifty/api', '@nifty/service-kit'], tests: ['@nifty/dev-servers'] },
  { folder: /^deploy\/(local|ops)$/, code: workspace },
]

test.each(sources)('%s imports only what its package may', (file) => {
  const own = packageOf(file)
  const rule = allowed.find(({ folder }) => folder.test(own))
  for (const name of importsOf(file)) {
    if (name.startsWith('.')) expect(packageOf(join(dirname(file), name)), name).toBe(own)
    if (!workspace.test(name)) continue
    if (rule?.code instanceof RegExp) {
      expect(name).toMatch(rule.code)
      continue
    }
    const imported = name.split('/').slice(0, 2).join('/')
    expect([...(rule?.code ?? []), ...((isTest(file) && rule?.tests) || [])], name).toContain(imported)
  }
})

test('no file imports itself by way of others, types and tests included', () => {
  expect(allImports().length).toBeGreaterThan(3_000)
  expect(fileCircles()).toEqual([])
  const import_ = (from: string, to: string) => ({ from, to })
  expect(fileCircles([import_('a', 'b'), import_('b', 'c'), import_('c', 'a'), import_('d', 'a')])).toEqual([
    ['a', 'b', 'c'],
  ])
})

/** Floors of service-kit, lowest first: each imports only itself and those before it. */
const floors = ['base', 'objects', 'database', 'http', 'messaging', 'jobs', 'images', 'service']
const floorOf = (file: string) => floors.indexOf(/^packages\/service-kit\/src\/([^/]+)\//.exec(file)?.[1] ?? '')
const ofKit = sources.filter((file) => file.startsWith('packages/service-kit/src/') && !isTest(file))

test('every file of service-kit stands on a floor', () => {
  expect(ofKit.length).toBeGreaterThan(50)
  expect(ofKit.filter((file) => floorOf(file) < 0)).toEqual([])
})

test.each(ofKit)('%s imports no floor above its own', (file) => {
  for (const name of importsOf(file).filter((each) => each.startsWith('.')))
    expect(floorOf(join(dirname(file), name)), name).toBeLessThanOrEqual(floorOf(file))
})

/** The store on real parts only, as a small shop runs it. */
const smallShop = sources.filter((file) => file.startsWith('deploy/local/src/store/') && !isTest(file))

test('the store on real parts loads no tool', () => {
  expect(smallShop).toContain('deploy/local/src/store/store.ts')
  const tools = new Set(packages.filter(({ folder }) => folder.startsWith('packages/tools/')).map(({ name }) => name))
  const toolsOf = (file: string) => importsOf(file).filter((name) => tools.has(name.split('/').slice(0, 2).join('/')))
  expect(smallShop.filter((file) => toolsOf(file).length > 0)).toEqual([])
})

const ownProcess = sources.filter(
  (file) => /^(services\/[^/]+|gateway|packages\/(service-kit|contracts))\/src\//.test(file) && !isTest(file),
)

test('no service imports node:http, which loads undici: see service-kit/http/node-http.ts', () => {
  expect(ownProcess.length).toBeGreaterThan(100)
  const values = /^import (?!type ).* from '(?:node:)?https?'/m
  expect(values.test("import http from 'node:http'")).toBe(true)
  expect(ownProcess.filter((file) => values.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

const thirdParty = new Set(packages.flatMap((each) => each.thirdParty))

/** The third-party packages that a program loads, also on demand. */
function thirdPartyOf(program: string): string[] {
  const seen = new Set<string>()
  const add = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    if (!sources.includes(file)) return
    for (const name of valueImportsOf(file)) {
      const [, folder, path] = /^@nifty\/(api|events|service-kit|contracts)\/(.+)$/.exec(name) ?? []
      add(name.startsWith('.') ? join(dirname(file), name) : folder ? `packages/${folder}/src/${path}.ts` : name)
    }
  }
  add(program)
  return [...seen].filter((name) => thirdParty.has(name))
}

test.each(serviceNames)('%s loads no decoder of images: its image process does, see service-kit/images', (name) => {
  const loaded = thirdPartyOf(`services/${name}/src/main.ts`)
  expect(loaded).toContain('fastify')
  expect(loaded).not.toContain('sharp')
})

const imagePrograms = sources.filter((file) => file.endsWith('/image-process.main.ts'))

test('there are image processes', () => expect(imagePrograms.length).toBeGreaterThan(0))

test.each(imagePrograms)('%s loads what it needs for images only', (program) => {
  expect(thirdPartyOf(program)).toEqual(['sharp'])
})

test('no package depends on itself by way of others, development dependencies included', () => {
  expect(packages.length).toBeGreaterThan(10)
  expect(packageCycles()).toEqual([])
  expect(
    packageCycles([
      { name: 'a', folder: '', dependencies: ['b'] },
      { name: 'b', folder: '', dependencies: ['a'] },
    ]),
  ).toEqual(['a > b > a', 'b > a > b'])
})

/** `x.ts` holds the rules of a noun where its SQL or its actions stand beside it. */
const rules = sources.filter(
  (file) =>
    /^services\/.*\/[^./]+\.ts$/.test(file) &&
    ['store', 'actions', 'routes'].some((role) => sources.includes(file.replace(/\.ts$/, `.${role}.ts`))),
)

test('service-kit contains no business word', () => {
  for (const file of ofKit)
    expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(
      /\b(nft|listing|purchase|buyer|seller|wallet|mint(ed|ing)?)\b/i,
    )
})

test('there are rules to look at', () => expect(rules.length).toBeGreaterThan(0))

test.each(rules)('%s holds rules only: no database, no network, no framework', (file) => {
  for (const name of importsOf(file))
    expect(name).not.toMatch(/^(kysely|fastify|kafkajs|pg|stripe|ethers|node:(?!crypto))/)
})
