import { constantNames, endpoints } from '@nifty/api/endpoints/all'
import { serviceNames } from '@nifty/api/services'
import { createApp } from '@nifty/service-kit/http/app'
import { mergeDocuments } from '@nifty/service-kit/http/openapi'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { testLog } from '@nifty/service-kit/testing/log'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'vitest'

/** The store's document as the gateway makes it, of apps whose handlers are never called. */
async function documentOfStore() {
  const admit = async () => undefined
  const guards = () => ({ account: admit, seller: admit, optional: admit })
  const documents = await Promise.all(
    serviceNames.map(async (service) => {
      const app = createApp({ log: testLog, name: service, guards })
      app.register(async (scope) => {
        for (const endpoint of endpoints[service].public) registerRoute(scope, endpoint, async () => ({}))
      })
      return (await app.inject('/openapi.json')).json()
    }),
  )
  return mergeDocuments(documents, { publicUrl: 'https://store.example', title: 'Store' })
}

const document = await documentOfStore()

test('the OpenAPI document passes the recommended rules', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // Their methods differ, and a concrete path goes before a templated one.
      'no-ambiguous-paths': 'off',
    },
  })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  expect(
    problems.map(({ severity, ruleId, message, location }) => [severity, ruleId, message, location[0]?.pointer]),
  ).toEqual([])
})

test('no two shapes have one name, so that each is a schema of its own in the document', () => {
  const shapes = [...constantNames].filter(([value]) => 'type' in value && value.type === 'object')
  const names = shapes.map(([, name]) => name)
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Nft', 'Order', 'ErrorResponse']))
})

test('numbers of a query are numbers in the document, though servers read text', () => {
  const typesOf = (path: string) =>
    document.paths[path].get.parameters.map((each: any) => [each.name, each.schema.type ?? typeof each.schema.enum[0]])
  expect(Object.fromEntries(typesOf('/api/nfts/market'))).toMatchObject({
    page: 'integer',
    limit: 'integer',
    minPrice: 'number',
    maxPrice: 'number',
  })
  expect(Object.fromEntries(typesOf('/api/orders/statement/entries'))).toMatchObject({ limit: 'integer' })
  expect(Object.fromEntries(typesOf('/uploads/nfts/{file}'))).toMatchObject({ w: 'number' })
})

const all = serviceNames.flatMap((service) => [...endpoints[service].public, ...endpoints[service].internal])

test.each(all.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s has a summary of one line',
  (_, { summary = '' }) => {
    expect(summary).toMatch(/^.{5,90}[^.]$/)
  },
)
