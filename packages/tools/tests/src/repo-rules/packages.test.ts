import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { packages } from './packages.ts'
import { files, packageOf, root, sources } from './tree.ts'

const dependenciesOf = new Map(packages.map(({ name, dependencies }) => [name, dependencies]))

test.each(packages)(
  '$name declares the workspace packages that its sources import',
  ({ name, folder, dependencies }) => {
    const imported = new Set<string>()
    for (const file of sources.filter((each) => packageOf(each) === folder))
      for (const [, found = ''] of readFileSync(join(root, file), 'utf8').matchAll(
        /(?:from|import\(|mock\() ?'(@nifty\/[\w-]+)/g,
      ))
        if (found !== name) imported.add(found)
    // The launcher builds the front end by Vite and imports nothing of it.
    expect(dependencies.filter((each) => each !== '@nifty/web').toSorted()).toEqual([...imported].toSorted())
  },
)

/** Peers of a listed package, which imports them. */
const peers = ['@lezer/highlight', '@lezer/lr']

test.each(packages)('$name imports the third-party packages that it lists', ({ folder, thirdParty }) => {
  const texts = files
    .filter((file) => packageOf(file) === folder && /\.(tsx?|css|html|json)$/.test(file))
    .filter((file) => !file.endsWith('package.json'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
  const isUsed = (name: string) =>
    texts.some((text) => [`'${name}'`, `'${name}/`, `"${name}/`].some((used) => text.includes(used)))
  expect(thirdParty.filter((name) => !peers.includes(name) && !isUsed(name))).toEqual([])
})

test('services depend on shared packages, service-kit and development servers only', () => {
  const allowed = ['api', 'events', 'content', 'service-kit', 'contracts', 'dev-servers', 'card-sandbox'].map(
    (name) => `@nifty/${name}`,
  )
  const services = packages.filter(({ folder }) => folder.startsWith('services/'))
  expect(services.length).toBeGreaterThan(0)
  for (const { name, dependencies } of services) expect(allowed, name).toEqual(expect.arrayContaining(dependencies))
})

test('the card sandbox and the development servers depend on no other package of the workspace', () => {
  for (const name of ['@nifty/card-sandbox', '@nifty/dev-servers']) expect(dependenciesOf.get(name)).toEqual([])
})

test('pnpm compares the engines of dependencies with the Node version that runs the scripts', () => {
  const { nodeVersion } = parse(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(nodeVersion).toBe(devDependencies.node)
})
