import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { officePaths } from '@nifty/api/office'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

type Chunk = { file: string; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

const root = import.meta.dirname
let out: string
let manifest: Manifest

beforeAll(async () => {
  // The test runner's NODE_ENV would bring React's development build along.
  vi.stubEnv('NODE_ENV', 'production')
  out = await mkdtemp(join(tmpdir(), 'nifty-web-'))
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'silent',
    build: { outDir: out, emptyOutDir: true },
  })
  manifest = JSON.parse(await readFile(join(out, '.vite/manifest.json'), 'utf8')) as Manifest
}, 60_000)

afterAll(() => rm(out, { recursive: true, force: true }))

/** The chunks that load with these entries. */
function loadedBy(...entries: string[]): Chunk[] {
  const seen = new Set<string>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    for (const next of manifest[key]!.imports ?? []) visit(next)
  }
  for (const entry of entries) visit(entry)
  return [...seen].map((key) => manifest[key]!)
}

async function kilobytes(files: Iterable<string>) {
  const sizes = await Promise.all(
    [...new Set(files)].map(async (file) => gzipSync(await readFile(join(out, file))).length),
  )
  return sizes.reduce((sum, size) => sum + size, 0) / 1000
}

/** A first visit of home, with the cookie banner. */
const firstVisit = () => loadedBy('index.html', 'src/pages/home/home-page.tsx', consentChunk())

function consentChunk() {
  const [chunk] = Object.keys(manifest).filter((key) => /^_consent-.*\.js$/.test(key))
  if (!chunk) throw new Error('the cookie banner is in no chunk of this name')
  return chunk
}

test('the first visit of home loads at most 110 kB of JavaScript', async () => {
  expect(await kilobytes(firstVisit().map(({ file }) => file))).toBeLessThanOrEqual(110)
})

test('a first visit loads one style sheet of at most 13 kB, and the pages where none begins another of at most 5', async () => {
  const sheets = firstVisit().flatMap(({ css }) => css ?? [])
  expect(new Set(sheets).size).toBe(1)
  expect(await kilobytes(sheets)).toBeLessThanOrEqual(13)
  const all = Object.values(manifest).flatMap(({ css }) => css ?? [])
  const later = all.filter((sheet) => !sheets.includes(sheet))
  expect(new Set(later).size).toBe(1)
  expect(await kilobytes(later)).toBeLessThanOrEqual(5)
})

test('no page loads a chain library', async () => {
  const pages = Object.values(manifest).filter(({ file }) => file.endsWith('.js'))
  for (const { file } of pages) expect(await readFile(join(out, file), 'utf8'), file).not.toContain('JsonRpcProvider')
})

test('no page loads the schema library', async () => {
  const scripts = Object.values(manifest).filter(({ file }) => file.endsWith('.js'))
  // TypeBox has the kind of a schema below this key.
  for (const { file } of scripts) expect(await readFile(join(out, file), 'utf8'), file).not.toContain('~kind')
})

test('what every page imports does not import the chunk that names all pages and changes with each', () => {
  const [ui] = Object.keys(manifest).filter((key) => /^_ui-.*\.js$/.test(key))
  expect(manifest[ui!]!.imports).toContainEqual(expect.stringContaining('vendor'))
  expect(manifest[ui!]!.imports).not.toContain('index.html')
})

test('the build of the store has nothing of the office', async () => {
  const named = (name: string) => /(^|\/)office/.test(name)
  expect(Object.keys(manifest).filter((name) => named(name.replace(/^_/, '')))).toEqual([])
  expect((await readdir(out, { recursive: true })).filter(named)).toEqual([])
  const modules = await Promise.all(Object.values(manifest).map(({ file }) => readFile(join(out, file), 'utf8')))
  expect(modules.filter((text) => text.includes(officePaths.requests))).toEqual([])
})
