import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serviceNames } from '@nifty/api/services'
import { serviceKeyVariables } from '@nifty/service-kit/http/service-keys'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../repo-rules/tree.ts'
import { contracts, ofKind, render, sizes } from './chart.ts'
import { accepts, components, defaultedByTheService, environmentOf, everyChoice, wellFormed } from './environment.ts'
import { findTools } from './tools.ts'
import { variablesOf } from './variables.ts'

const tools = await findTools()

/** Read by Node itself and by the SDK of object storage. */
const readByLibraries = ['NODE_EXTRA_CA_CERTS', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

describe.skipIf(!tools)("the chart's variables", () => {
  test.each(components)('of %s are exactly those that it reads', async (component) => {
    const names = Object.keys(environmentOf(await render(tools!, { size: 'large', values: everyChoice }), component))
    const read = variablesOf(component).map(({ name }) => name)

    expect(names.filter((name) => ![...read, ...readByLibraries].includes(name))).toEqual([])
    expect(read.filter((name) => !names.includes(name) && !defaultedByTheService.includes(name))).toEqual([])
  })

  test.each(sizes)('are accepted by every component: %s', async (size) => {
    const manifests = await render(tools!, { size, values: contracts })
    for (const component of components) {
      const environment = environmentOf(manifests, component)
      await expect(accepts(component, environment), component).resolves.toBeTruthy()
      for (const { name, needed } of variablesOf(component))
        if (needed) expect(Object.keys(environment), `${component} needs ${name}`).toContain(name)
    }
  })

  test('name store and company as the operator wrote it', async () => {
    const environment = environmentOf(await render(tools!, { size: 'small', values: everyChoice }), 'gateway')
    expect(environment).toMatchObject({
      STORE_NAME: 'Galerie: Lumen & "Söhne"',
      COMPANY_NUMBER: '0012',
      COMPANY_ADDRESS: 'Deichstraße 1;20459: Hamburg',
    })
  })

  test('give the signer key to minting only', async () => {
    const manifests = await render(tools!, { size: 'large', values: everyChoice })
    const holders = manifests.filter((manifest) => JSON.stringify(manifest).includes('CHAIN_SIGNER_KEY'))
    expect(holders.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'Deployment nifty-minting',
      'ExternalSecret nifty-minting',
    ])
  })

  test('contain secrets in Secrets only', async () => {
    // Some have a form that the chart checks.
    const secretOf = (name: string) => wellFormed[name] ?? `secret-${name}-`.padEnd(32, 'x')
    const secrets = { from: 'values', values: Object.fromEntries(allSecrets.map((name) => [name, secretOf(name)])) }
    const manifests = await render(tools!, { size: 'small', values: { secrets } })
    const open = manifests.filter(({ kind }) => kind !== 'Secret')
    expect(ofKind(manifests, 'Secret').map(({ metadata }) => metadata.name)).toHaveLength(6 + serviceNames.length)
    const text = JSON.stringify(open)
    expect(allSecrets.filter((name) => text.includes(secretOf(name)))).toEqual([])
  })
})

const allSecrets = [
  ...serviceNames.flatMap(serviceKeyVariables),
  'OPERATORS',
  'CACHE_SIGNING_KEY',
  'POSTGRES_URL',
  'AUTH_SIGNING_KEY',
  'REDIS_URL',
  'STRIPE_SECRET_KEY',
  'POSTGRES_OWNER_URL',
  'SECOND_FACTOR_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'CHAIN_RPC_URL',
  'CHAIN_SIGNER_KEY',
  'SMTP_URL',
  'MAIL_TOKEN_KEY',
]

const compose = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true })

test.each(components)("compose.yaml's variables of %s are read and accepted", async (component) => {
  const environment: Record<string, unknown> = compose.services[component].environment
  const texts = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))
  const variables = variablesOf(component)

  expect(Object.keys(texts).filter((name) => !variables.some((variable) => variable.name === name))).toEqual([])
  expect(variables.filter(({ name, needed }) => needed && !texts[name]).map(({ name }) => name)).toEqual([])
  await expect(accepts(component, texts)).resolves.toBeTruthy()
})

test('compose.yaml gives payments and the card sandbox the same secrets', () => {
  const { payments, processor } = compose.services
  expect(payments.environment.STRIPE_SECRET_KEY).toBe(processor.environment.SECRET_KEY)
  expect(payments.environment.STRIPE_WEBHOOK_SECRET).toBe(processor.environment.WEBHOOK_SECRET)
})
