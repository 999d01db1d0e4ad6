import { Agent, request } from 'node:http'
import { join, resolve } from 'node:path'
import { getMarket, getNft } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { getImage } from '@nifty/api/minting/public'
import { listOrders, startPurchase } from '@nifty/api/payments/public'
import { cpuMsOf, requireStatistics } from '../processes/processes.ts'
import { startProgram } from '../processes/start-program.ts'
import { median } from '../results/statistics.ts'

/**
 * Compares the CPU time a request of this checkout's gateway with another one's: both run as processes of their own in
 * front of one plain HTTP server, and their rounds alternate.
 *
 *     node packages/tools/bench/src/gateway/compare.ts FOLDER [ROUNDS] [REQUESTS]
 *
 * FOLDER is a work tree of another commit with its dependencies installed.
 */
const [folder, rounds = '11', requests = '1500'] = process.argv.slice(2)
if (!folder) throw new Error('compare.ts needs the folder of another checkout')
requireStatistics()

const CONNECTIONS = 8
const bearer = { authorization: 'Bearer x' }
const params = { username: '@ada', contract: '0xab', identifier: '7' }
const cases = [
  { name: 'GET with a query', method: 'GET', path: `${listOrders.path}?page=1&limit=20`, headers: bearer },
  { name: 'GET of an item', method: 'GET', path: endpointUrl(getNft, { params }), headers: bearer },
  { name: 'GET of a picture', method: 'GET', path: endpointUrl(getImage, { params: { file: 'a' } }), headers: {} },
  { name: 'POST, 220 bytes', method: 'POST', path: startPurchase.path, headers: bearer, body: 'x'.repeat(220) },
  { name: 'cached GET', method: 'GET', path: `${getMarket.path}?page=1&limit=2`, headers: {} },
]
type Case = (typeof cases)[number]

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })

const send = (url: string, { method, path, headers, body }: Case) =>
  new Promise<void>((done, fail) => {
    const sent = request(url + path, {
      method,
      agent,
      headers: { ...headers, ...(body && { 'content-type': 'application/json', 'content-length': body.length }) },
    })
    sent.once('error', fail)
    sent.once('response', (response) => {
      if (response.statusCode !== 200) fail(new Error(`${method} ${path}: ${response.statusCode}`))
      response.resume().once('end', done)
    })
    sent.end(body)
  })

/** CPU time of a gateway for one request, µs. */
async function measure({ output: url, pid }: { output: string; pid: number }, each: Case, count: number) {
  const before = cpuMsOf([pid])
  const next = async (): Promise<void> => {
    while (count-- > 0) await send(url, each)
  }
  const total = count
  await Promise.all(Array.from({ length: CONNECTIONS }, next))
  return ((cpuMsOf([pid]) - before) / total) * 1_000
}

const file = (name: string) => join(import.meta.dirname, name)
const service = await startProgram(file('service.main.ts'))
const here = resolve(import.meta.dirname, '../../../../..')
const own = await startProgram(file('gateway.main.ts'), here, service.output)
const other = await startProgram(file('gateway.main.ts'), resolve(folder), service.output)
try {
  for (const each of cases) {
    for (const gateway of [own, other]) await measure(gateway, each, 2 * Number(requests))
    const pairs: { own: number; other: number }[] = []
    for (let round = 0; round < Number(rounds); round++) {
      const order = round % 2 ? [own, other] : [other, own]
      const first = await measure(order[0]!, each, Number(requests))
      const second = await measure(order[1]!, each, Number(requests))
      pairs.push(round % 2 ? { own: first, other: second } : { own: second, other: first })
    }
    const ratios = pairs.map(({ own, other }) => own / other).toSorted((one, two) => one - two)
    const micros = (values: number[]) => `${median(values).toFixed(0)} µs`
    process.stdout.write(
      `${each.name}: ${micros(pairs.map(({ own }) => own))} here, ${micros(pairs.map(({ other }) => other))} there, ` +
        `ratio ${median(ratios).toFixed(2)} (${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)})\n`,
    )
  }
} finally {
  for (const program of [own, other, service]) await program.stop()
  agent.destroy()
}
