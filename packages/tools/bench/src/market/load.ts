import autocannon from 'autocannon'

/** The requests of one run of the load generator: one path for `seconds`, over eight connections. */
export type Load = { url: string; path: string; headers: Record<string, string>; seconds: number; expected: 200 | 304 }

export type Metrics = { requests: number; perSecond: number }

const CONNECTIONS = 8

const { url, path, headers, seconds, expected }: Load = JSON.parse(process.argv[2]!)
const { requests, duration, errors, statusCodeStats } = await autocannon({
  url,
  connections: CONNECTIONS,
  duration: seconds,
  requests: [{ method: 'GET', path, headers }],
})
const answered = statusCodeStats?.[`${expected}`]?.count ?? 0
if (errors > 0 || answered !== requests.total || answered === 0)
  throw new Error(`${errors} errors and ${answered} × ${expected} among ${requests.total} answers of ${url}${path}`)
const metrics: Metrics = { requests: requests.total, perSecond: requests.total / duration }
process.stdout.write(JSON.stringify(metrics))
