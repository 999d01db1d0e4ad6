import autocannon from 'autocannon'

/** The requests of one run of the load generator: `paths` once each, shared among the connections, or one of them for `seconds`. */
export type Load = { url: string; paths: string[]; headers: Record<string, string>; seconds?: number }

/** Milliseconds, but the first. */
export type Metrics = { perSecond: number; p50: number; p99: number }

const CONNECTIONS = 8

const { url, paths, headers, seconds }: Load = JSON.parse(process.argv[2]!)
const requestsOf = (connection: number) =>
  paths
    .filter((_, index) => index % CONNECTIONS === connection)
    .map((path) => ({ method: 'GET' as const, path, headers }))
let connection = 0
const { requests, latency, duration, non2xx, errors, statusCodeStats } = await autocannon({
  url,
  connections: CONNECTIONS,
  ...(seconds
    ? { duration: seconds, requests: [{ method: 'GET', path: paths[0]!, headers }] }
    : { amount: paths.length, setupClient: (client) => client.setRequests(requestsOf(connection++)) }),
})
const refused = non2xx - (statusCodeStats?.['304']?.count ?? 0)
if (errors > 0 || refused > 0 || requests.total === 0)
  throw new Error(`${errors} errors and ${refused} refusals among ${requests.total} answers of ${url}${paths[0]}`)
const metrics: Metrics = { perSecond: requests.total / duration, p50: latency.p50, p99: latency.p99 }
process.stdout.write(JSON.stringify(metrics))
