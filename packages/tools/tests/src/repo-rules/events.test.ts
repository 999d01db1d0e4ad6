import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { events } from '@nifty/events/events'
import { presentSnapshot, readSnapshot, refusedChanges } from '@nifty/events/snapshot'
import { expect, test } from 'vitest'
import { files, root, sources } from './tree.ts'

const contracts = sources
  .filter((file) => /^packages\/events\/src\/(auth|catalog|payments|minting)\.ts$/.test(file))
  .flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/export const (\w+) = defineEvent\(\{\s*name: '([^']+)'/g)].map(
      ([, constant, name]) => ({ file, constant: constant!, name: name! }),
    ),
  )

test('there are events', () => expect(contracts.length).toBeGreaterThan(10))

test.each(contracts)('$name is published by its own service', ({ file, constant, name }) => {
  const service = file.split('/').at(-1)!.replace('.ts', '')
  expect(name.split('.')[0]).toBe(service)
  const publishers = sources.filter(
    (source) =>
      source.startsWith('services/') &&
      new RegExp(`(publish|outbox)Event\\([\\s\\S]{0,40}\\b${constant}\\b`).test(
        readFileSync(join(root, source), 'utf8'),
      ),
  )
  expect(publishers.length).toBeGreaterThan(0)
  for (const publisher of publishers) expect(publisher).toContain(`services/${service}/`)
})

test('no event changed in a way that services of the former release do not understand', () => {
  expect(refusedChanges(readSnapshot(), presentSnapshot())).toEqual([])
})

test('packages/events/schemas.json has every event and field; if not, run `pnpm events:record` and commit it', () => {
  expect(Object.keys(readSnapshot()).length).toBeGreaterThan(10)
  expect(presentSnapshot()).toEqual(readSnapshot())
})

test.each(contracts)('$name names the services that consume it', ({ constant, name }) => {
  const consumers = sources.flatMap((source) => {
    const [, service] = /^services\/([^/]+)\/src\/.*consumers?\.ts$/.exec(source) ?? []
    const consumes = new RegExp(`\\bon\\(\\s*${constant}\\b`).test(readFileSync(join(root, source), 'utf8'))
    return service && consumes ? [service] : []
  })
  expect(events.find((event) => event.name === name)!.consumers.toSorted()).toEqual([...new Set(consumers)].sort())
})

/** Events that are published for consumers outside of this repository, each with the reason. */
const withoutConsumer: Record<string, string> = {}

test.each(contracts)('$name has a consumer', ({ constant, name }) => {
  const consumers = sources.filter(
    (source) =>
      /^services\/[^/]+\/src\/.*consumers?\.ts$/.test(source) &&
      new RegExp(`\\bon\\(\\s*${constant}\\b`).test(readFileSync(join(root, source), 'utf8')),
  )
  if (name in withoutConsumer) expect(consumers, 'has a consumer: take it off the list').toEqual([])
  else expect(consumers.length).toBeGreaterThan(0)
})

test.each(files.filter((file) => /^services\/[^/]+\/README\.md$/.test(file)))('%s names events that exist', (file) => {
  for (const [name] of readFileSync(join(root, file), 'utf8').matchAll(
    /\b(auth|catalog|payments|minting)\.[a-z-]+\.v\d+/g,
  ))
    expect(contracts.map((contract) => contract.name)).toContain(name)
})
