import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { getPublicProfile } from '@nifty/api/auth/public'
import { listCreators } from '@nifty/api/catalog/creators'
import { listExhibitions } from '@nifty/api/catalog/exhibitions'
import { listNftsById } from '@nifty/api/catalog/favourites'
import { getMarket, getNft, listFeatured, listNftsOfUser, listTopItems, type Nft } from '@nifty/api/catalog/public'
import { endpointUrl } from '@nifty/api/endpoint'
import { getFrontEndConfig } from '@nifty/api/gateway'
import { getTokenMetadata } from '@nifty/api/minting/public'
import { itemPath, pages } from '@nifty/api/pages'
import type { RunFile } from '@nifty/testkit/run-file'

const EVERY_MS = 50
/** A response that takes longer is an error. */
const TIMEOUT_MS = 10_000

/** `error`: a status with the code of the error, or why there was no response. */
export type Visit = { url: string; ms: number; error?: string }

/**
 * Visitors without a session request every page and list of the shop and the pages of these works in turn, one request
 * every 50 ms, whether the others have responses or not.
 */
export function startVisitors(run: RunFile, works: Nft[]) {
  const urls = urlsOf(works)
  let visits: Visit[] = []
  const open = new Set<Promise<void>>()
  let turn = 0

  async function visit(url: string) {
    const startedAt = performance.now()
    const error = await readAgain(run.url + url).catch((failure: Error) =>
      failure.name === 'AbortError' ? `no response in ${TIMEOUT_MS} ms` : failure.message,
    )
    visits.push({ url, ms: performance.now() - startedAt, ...(error && { error }) })
  }

  const timer = setInterval(() => {
    const visiting = visit(urls[turn++ % urls.length]!)
    open.add(visiting)
    visiting.finally(() => open.delete(visiting))
  }, EVERY_MS)

  return {
    /** Every address was requested this often. */
    rounds: () => Math.floor(turn / urls.length),
    /** The requests that have ended since the last call. */
    take: () => {
      const taken = visits
      visits = []
      return taken
    },
    stop: async () => {
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}

/** Once more where the connection broke before there was a response: an ingress repeats a GET at another gateway. */
const readAgain = (url: string) =>
  read(url).catch((error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? read(url) : Promise.reject(error)))

/** On a connection of its own, as another visitor has: it may lead to any of the gateways. Returns the error. */
async function read(url: string): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(url, { agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) }, resolve).on('error', reject)
  const response = await promise
  const body = await buffer(response)
  const status = response.statusCode!
  return status < 400 ? undefined : `${status} ${/"code":"(\w+)"/.exec(body.toString())?.[1] ?? ''}`.trim()
}

function urlsOf(works: Nft[]) {
  const artist = works[0]!.creatorUsername!
  const market = (query: Record<string, string>) => endpointUrl(getMarket, { query: { page: '1', ...query } })
  return [
    ...[pages.home, pages.explore, pages.creators, pages.exhibitions].map(({ path }) => path),
    pages.creatorProfile.path.replace(':username', artist),
    getFrontEndConfig.path,
    market({ limit: '24' }),
    market({ limit: '24', category: works[0]!.category, sort: 'price_asc' }),
    market({ limit: '24', creator: artist }),
    market({ limit: '24', search: works[0]!.name }),
    ...[listFeatured, listTopItems, listCreators, listExhibitions].map(({ path }) => path),
    endpointUrl(getPublicProfile, { params: { username: artist } }),
    endpointUrl(listNftsOfUser, { params: { username: artist } }),
    endpointUrl(listNftsById, { query: { ids: works.map(({ _id }) => _id).join(',') } }),
    ...works.flatMap((work) => [
      itemPath(work),
      endpointUrl(getNft, { params: { username: work.ownerUsername!, ...work } }),
      endpointUrl(getTokenMetadata, { params: work }),
      `${work.image}?w=320`,
    ]),
  ]
}
