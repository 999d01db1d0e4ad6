import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { login } from '@nifty/api/auth/public'
import { getMarket } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { pages } from '@nifty/api/pages'

const VISITORS = 8
const PAUSE_MS = 100
/** Every so many requests a visitor logs in: below the limit per minute. */
const LOG_IN_EVERY = 25

/** Milliseconds of each request. */
export type Durations = { browsing: number[]; logins: number[]; failed: number }

/** Visitors with an address each that browse, and log in to these accounts in turn, for some seconds. */
export async function visit(
  url: string,
  accounts: { email: string; password: string }[],
  seconds: number,
): Promise<Durations> {
  const durations: Durations = { browsing: [], logins: [], failed: 0 }
  const until = performance.now() + seconds * 1_000
  const browsed = [endpointUrl(getMarket, { query: { page: '1', limit: '24' } }), pages.explore.path, pages.home.path]

  async function visitor(number: number) {
    const account = accounts[number % accounts.length]
    const agent = new Agent({ keepAlive: true, localAddress: `127.0.1.${number + 1}` })
    for (let count = number * 3; performance.now() < until; count++) {
      const isLogin = count % LOG_IN_EVERY === 0
      const startedAt = performance.now()
      const status = await (isLogin
        ? send(agent, url + login.path, 'POST', JSON.stringify(account))
        : send(agent, url + browsed[count % browsed.length], 'GET')
      ).catch(() => 0)
      durations[isLogin ? 'logins' : 'browsing'].push(performance.now() - startedAt)
      if (status !== 200) durations.failed++
      await sleep(PAUSE_MS)
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: VISITORS }, (_, number) => visitor(number)))
  return durations
}

async function send(agent: Agent, url: string, method: string, body?: string) {
  const headers = body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}
  const sent = request(url, { agent, method, headers }).end(body)
  const [response] = await once(sent, 'response')
  response.resume()
  await once(response, 'end')
  return response.statusCode as number
}
