import { endpoints } from '@nifty/api/endpoints/all'
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

const all = serviceNames.flatMap((service) => [...endpoints[service].public, ...endpoints[service].internal])

test.each(all.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s has a summary of one line',
  (_, { summary = '' }) => {
    expect(summary).toMatch(/^.{5,90}[^.]$/)
  },
)
