import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { getMarket, getNft, type Market } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { startStore } from '@nifty/testkit/store'
import { median } from '../results/statistics.ts'
import type { Figure } from '../results/target.ts'
import type { StoredAnswer } from './bare.ts'
import { fillCatalog } from './fill.ts'
import type { Load, Metrics } from './load.ts'

const ROUNDS = 3
const SECONDS = 2
/** Painted and minted; the rest are copies of these in catalog's database. */
const REAL = 24
const CATALOGS = [240, 50_000]
/** Request headers of a browser. */
const BROWSER = { 'accept-encoding': 'br, gzip' }
const PAGE = { page: '1', limit: '24' }
const MARKET = endpointUrl(getMarket, { query: { ...PAGE, buyOption: 'now' } })

/**
 * Market requests through the gateway of a whole store, compared with a bare Fastify app that sends the same bytes:
 * requests per second and milliseconds, and the ratio of the two, measured in turn in one run. With 240 works and with
 * 50,000.
 */
export async function benchMarket(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-bench-'))
  await chmod(folder, 0o755)
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), durable: true })
  const env = { POSTGRES_URL: postgres.url, RATE_LIMIT_FACTOR: '100000', LOG_LEVEL: 'warn' }
  const store = await startStore({ works: REAL, env }).catch(async (error) => {
    await postgres.stop()
    throw error
  })
  try {
    const figures: Figure[] = []
    for (const wanted of CATALOGS) {
      const works = await fillCatalog(postgres.url, wanted)
      figures.push(...(await measure(store.run.url, join(folder, 'answers.json'), `${works} works`)))
    }
    return figures
  } finally {
    await store.remove()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(url: string, file: string, catalog: string) {
  const { nfts } = (await (await fetch(`${url}${MARKET}`)).json()) as Market
  const [{ contract, identifier }] = nfts as [Market['nfts'][number]]
  // Without @: its percent-encoding would not match the route of the bare app.
  const item = endpointUrl(getNft, { params: { username: 'anyone', contract, identifier } })
  const answers = await Promise.all([MARKET, item].map((path) => answerOf(url, path)))
  await writeFile(file, JSON.stringify(answers))
  const bare = await startBare(file)
  try {
    const figures: Figure[] = []
    const hot = (path: string, headers: Record<string, string> = {}) => ({ path, headers: { ...BROWSER, ...headers } })
    const cases = {
      'market, hot': hot(MARKET),
      'market, unchanged (304)': hot(MARKET, { 'if-none-match': answers[0]!.headers.etag! }),
      'item page': hot(item),
    }
    for (const [name, { path, headers }] of Object.entries(cases)) {
      const rounds: { least: Metrics; own: Metrics }[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const least = await load({ url: bare.url, paths: [path], headers, seconds: SECONDS })
        rounds.push({ least, own: await load({ url, paths: [path], headers, seconds: SECONDS }) })
      }
      const of = (pick: (pair: (typeof rounds)[number]) => number) => median(rounds.map(pick))
      figures.push(
        {
          ...{ name: `${catalog}, ${name}: requests`, unit: '/s' },
          ...{ figure: of(({ own }) => own.perSecond), ceiling: of(({ least }) => least.perSecond) },
        },
        { name: `${catalog}, ${name}: 99th percentile`, unit: 'ms', figure: of(({ own }) => own.p99) },
      )
    }
    const cold = await load({ url, paths: questions(), headers: BROWSER })
    return [
      ...figures,
      { name: `${catalog}, market, each question new: requests`, unit: '/s', figure: cold.perSecond },
      { name: `${catalog}, market, each question new: median`, unit: 'ms', figure: cold.p50 },
      { name: `${catalog}, market, each question new: 99th percentile`, unit: 'ms', figure: cold.p99 },
    ]
  } finally {
    await bare.stop()
  }
}

const letters = [...'abcdefghijklmnopqrst']
/** 400 requests with keys that are not cached. */
const questions = () =>
  letters.flatMap((one) => letters.map((other) => endpointUrl(getMarket, { query: { ...PAGE, search: one + other } })))

/** The bytes as they are sent: `fetch` would unpack them. */
async function answerOf(url: string, path: string): Promise<StoredAnswer> {
  const [answer] = await once(get(`${url}${path}`, { headers: BROWSER }), 'response')
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...headers } = answer.headers
  return { path, headers, body: (await buffer(answer)).toString('base64') }
}

async function startBare(file: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = await once(child.stdout, 'data')
  return {
    url: String(url).trim(),
    stop: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** In a process of its own, so that the load generator does not share the server's event loop. */
async function load(wanted: Load): Promise<Metrics> {
  const program = join(import.meta.dirname, 'load.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(wanted)])
  return JSON.parse(stdout)
}
