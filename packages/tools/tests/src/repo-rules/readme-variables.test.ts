import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import { expect, test } from 'vitest'
import { variablesOf } from '../deploy/variables.ts'
import { root } from './tree.ts'

/** With a default that suits every store, or described beside the service that reads it. */
const namedElsewhere = ['STRIPE_API_URL', 'CHAIN_PUBLIC_RPC_URL', 'CHAIN_EXPLORER_URL']

test('the README names every server of others that a store can use', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const own = serviceNames.flatMap((name) => [`${name.toUpperCase()}_URL`, `${name.toUpperCase()}_INTERNAL_URL`])
  const servers = ['gateway', ...serviceNames]
    .flatMap((component) => variablesOf(component).map(({ name }) => name))
    .filter((name) => /_(URL|BROKERS)$/.test(name) && ![...own, ...namedElsewhere].includes(name))
  expect(servers).toEqual(expect.arrayContaining(['KAFKA_BROKERS', 'REDIS_URL', 'TAG_MANAGER_URL', 'VIDEO_URL']))
  expect(servers.filter((name) => !readme.includes(`\`${name}\``))).toEqual([])
})
