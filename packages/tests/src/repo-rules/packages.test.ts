import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { files, root, sources } from './tree.ts'

type Manifest = {
  name: string
  engines?: { node?: string }
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

const read = (file: string): Manifest => JSON.parse(readFileSync(join(root, file), 'utf8'))
const manifests = files.filter((file) => file.endsWith('/package.json'))

/** By package: the packages of this workspace that it depends on, devDependencies included. */
const graph = new Map(
  manifests.map((file) => {
    const { name, dependencies, devDependencies } = read(file)
    return [name, Object.keys({ ...dependencies, ...devDependencies }).filter((each) => each.startsWith('@nifty/'))]
  }),
)

function cycleFrom(name: string, path: string[] = []): string[] | undefined {
  if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
  for (const next of graph.get(name) ?? []) {
    const cycle = cycleFrom(next, [...path, name])
    if (cycle) return cycle
  }
  return undefined
}

test.each([...graph.keys()])('%s is part of no dependency cycle', (name) => {
  expect(cycleFrom(name)?.join(' → ')).toBeUndefined()
})

test.each(manifests)('%s declares the workspace packages that its sources import', (manifest) => {
  const folder = dirname(manifest)
  const { name } = read(manifest)
  const imported = new Set<string>()
  for (const file of sources.filter((each) => each.startsWith(`${folder}/`)))
    for (const [, found = ''] of readFileSync(join(root, file), 'utf8').matchAll(
      /(?:from|import\(|mock\() ?'(@nifty\/[\w-]+)/g,
    ))
      if (found !== name) imported.add(found)
  const declared = graph.get(name)!
  // The launcher builds the front end by Vite and imports nothing of it.
  expect(declared.filter((each) => each !== '@nifty/web').toSorted()).toEqual([...imported].toSorted())
})

test('services depend on contracts, service-kit and development servers only', () => {
  const allowed = ['api', 'events', 'service-kit', 'dev-servers', 'card-sandbox'].map((name) => `@nifty/${name}`)
  for (const file of manifests.filter((each) => each.startsWith('services/')))
    expect(allowed, file).toEqual(expect.arrayContaining(graph.get(read(file).name)!))
})

test('the card sandbox and the development servers depend on no other package of the workspace', () => {
  for (const name of ['@nifty/card-sandbox', '@nifty/dev-servers']) expect(graph.get(name)).toEqual([])
})

test('pnpm compares the engines of dependencies with the Node version that runs the scripts', () => {
  const { nodeVersion } = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))
  expect(nodeVersion).toBe(read('package.json').devDependencies?.node)
})
