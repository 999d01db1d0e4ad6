import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root, sources } from './tree.ts'

/** The folder of the package that a file belongs to. */
const packageOf = (file: string) => /^(services|packages|deploy)\/[^/]+(?=\/)/.exec(file)?.[0] ?? file.split('/')[0]!

const shared = /^@nifty\/(api|events|service-kit)\//
/** Development servers that the tests of services start. */
const forTests = /^@nifty\/(card-sandbox|dev-servers)\//
const isTest = (file: string) => /\.test\.tsx?$|\/testing(\.ts$|\/)/.test(file)
/** What starts whole stores may import everything. */
const startsEverything = (file: string) => /^(deploy\/(local|ops)|packages\/(testkit|tests|bench|chaos))\//.test(file)
const importsOf = (file: string, pattern = /(?:from|import\() ?'([^']+)'/g) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, name]) => name!)

test.each(sources)('%s imports only what its package may', (file) => {
  for (const name of importsOf(file)) {
    if (name.startsWith('.')) expect(packageOf(join(dirname(file), name)), name).toBe(packageOf(file))
    if (!name.startsWith('@nifty/') || startsEverything(file)) continue
    if (isTest(file) && forTests.test(name)) continue
    expect(name).toMatch(shared)
  }
})

/** `x.ts` holds the rules of a noun where its SQL or its actions stand beside it. */
const rules = sources.filter(
  (file) =>
    /^services\/.*\/[^./]+\.ts$/.test(file) &&
    ['store', 'actions', 'routes'].some((role) => sources.includes(file.replace(/\.ts$/, `.${role}.ts`))),
)

test('the kit knows no business word', () => {
  const kit = sources.filter((file) => file.startsWith('packages/service-kit/src/') && !isTest(file))
  for (const file of kit)
    expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(
      /\b(nft|listing|purchase|buyer|seller|wallet|mint(ed|ing)?)\b/i,
    )
})

test('there are rules to look at', () => expect(rules.length).toBeGreaterThan(0))

test.each(rules)('%s holds rules only: no database, no network, no framework', (file) => {
  for (const name of importsOf(file))
    expect(name).not.toMatch(/^(kysely|fastify|kafkajs|pg|stripe|ethers|node:(?!crypto))/)
})
