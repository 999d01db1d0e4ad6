import { testLog } from '@nifty/service-kit/testing/log'
import { expect, onTestFinished, test } from 'vitest'
import { buildInternalApp } from './internal.ts'
import { remoteEcho, startTestGateway } from './testing/gateway.ts'

test('requests are counted by route, in process and proxied, and exposed on the internal port only', async () => {
  const { url, metrics } = await startTestGateway({ catalog: await remoteEcho('catalog') })
  for (const path of ['/api/nfts/secret-words', '/api/users/secret-words', '/secret-words'])
    await (await fetch(url + path)).text()
  const internal = buildInternalApp({ log: testLog, metrics })
  onTestFinished(() => internal.close())
  await expect
    .poll(async () => (await internal.inject('/metrics')).payload, { timeout: 30_000 })
    .toMatch(/_count\{method="GET",route="\/api\/nfts\/\*",status="200"\} 1/)
  const { payload } = await internal.inject('/metrics')
  expect(payload).toMatch(/_count\{method="GET",route="\/api\/users\/\*",status="200"\} 1/)
  expect(payload).toContain('nodejs_eventloop_lag_p99_seconds')
  expect(payload).not.toContain('secret-words')
  expect(await (await fetch(`${url}/metrics`)).text()).not.toContain('nifty_http')
})
