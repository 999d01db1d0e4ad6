import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { login } from '@nifty/api/auth/public'
import { getMarket } from '@nifty/api/catalog/public'
import { accountsOf } from '@nifty/testkit/api-client'
import { expect, test } from 'vitest'
import { sharedStore } from '../shared-store/shared-store.ts'

const { run } = await sharedStore()
const HOSTILE = '127.0.0.2'
const FLOOD = 200

/** The status of a request from a loopback address. */
const send = (from: string, method: string, path: string, body?: object): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = { hostname: '127.0.0.1', port: new URL(run.url).port, localAddress: from, method, path }
    const headers = body ? { 'content-type': 'application/json' } : {}
    const sent = request({ ...options, headers, agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode!))
    })
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })

test('while one address floods log-in with accounts, others log in, browse and load files', async () => {
  const { email, password } = accountsOf(run, 'collector')[0]!
  const flood = Array.from({ length: FLOOD }, () =>
    send(HOSTILE, login.method, login.path, { email: `${randomUUID()}@people.example`, password }),
  )
  const others = [
    send('127.0.0.1', login.method, login.path, { email, password }),
    send('127.0.0.1', 'GET', getMarket.path),
    send('127.0.0.1', 'GET', '/robots.txt'),
    send('127.0.0.1', 'GET', '/explore-one'),
  ]

  expect(await Promise.all(others)).toEqual([200, 200, 200, 200])
  const statuses = await Promise.all(flood)
  expect(statuses).toContain(429)
  expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([])
})
