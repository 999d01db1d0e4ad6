import { testCredential } from '@nifty/service-kit/testing/peers'
import { expect, test } from 'vitest'
import { startTestPayments } from './testing/payments.ts'

const payments = await startTestPayments({ manual: true })
const { app, internalUrl, peers } = payments
const { headers } = peers.givenBuyer()

const oddBodies = [
  'null',
  '[]',
  '"text"',
  '5',
  '{',
  '{"__proto__":{"admin":true}}',
  '{"items":[{"_id":{},"price":[]}],"amount":"1e309"}',
  `{"items":${'['.repeat(30)}${']'.repeat(30)}}`,
  '{"orderId":"\\u0000","lineId":[1],"operator":5,"reason":null,"amount":-1,"payoutId":"x","userId":{}}',
]

test.each(['/api/nfts/test', `/api/orders/${crypto.randomUUID()}/cancel`, '/api/orders/%00/cancel'])(
  'a malformed request to %s is a 4xx',
  async (url) => {
    for (const payload of oddBodies) {
      const response = await app.inject({
        method: 'POST',
        url,
        headers: { ...headers, 'content-type': 'application/json' },
        payload,
      })
      expect([response.statusCode >= 400 && response.statusCode < 500, url, payload]).toEqual([true, url, payload])
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json\ta',
      'multipart/form-data',
    ]) {
      const response = await app.inject({
        method: 'POST',
        url,
        headers: { ...headers, 'content-type': type },
        payload: '{}',
      })
      expect([response.statusCode >= 400 && response.statusCode < 500, type]).toEqual([true, type])
    }
  },
)

/** Signed as its parsed JSON, so that it gets as far as the check of its fields. */
function signed(url: string, body: string) {
  const parsed = body === '{' ? body : JSON.stringify(JSON.parse(body))
  return testCredential({ service: 'payments', method: 'POST', url, body: parsed })
}

test.each(['refund', 'cancel', 'payouts'])('a malformed operator’s request to %s is a 4xx', async (what) => {
  for (const body of [
    ...oddBodies,
    JSON.stringify({
      payoutId: crypto.randomUUID(),
      userId: crypto.randomUUID(),
      amount: 1e300,
      reason: 'b',
    }),
  ]) {
    const path = `/internal/ops/${what}`
    const response = await fetch(`${internalUrl}${path}`, {
      method: 'POST',
      headers: { ...signed(path, body), 'content-type': 'application/json' },
      body,
    })
    expect([response.status >= 400 && response.status < 500, what, body]).toEqual([true, what, body])
  }
})

test.each(['actions', 'security-events'])(
  '%s since no time that every engine parses are a 400 with the field',
  async (what) => {
    for (const since of [
      '2016-12-31T23:59:60Z',
      '2026-13-01T00:00:00Z',
      '2026-01-01',
      '2026-01-01T00:00:00+24:00',
      '',
    ]) {
      const path = `/internal/ops/${what}?since=${encodeURIComponent(since)}`
      const headers = testCredential({ service: 'payments', method: 'GET', url: path })
      const response = await fetch(`${internalUrl}${path}`, { headers })
      expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ path: 'since' }] }])
    }
  },
)

test.each(['/api/orders/nope', '/api/orders/%2e%2e%2f', `/api/orders/${'a'.repeat(390)}`, '/api/orders?x=1&x=2'])(
  'GET %s is a 4xx',
  async (url) => {
    const { statusCode } = await app.inject({ method: 'GET', url, headers })
    expect(statusCode).toBeGreaterThanOrEqual(400)
    expect(statusCode).toBeLessThan(500)
  },
)
