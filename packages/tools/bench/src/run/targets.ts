import { type Program, programs } from '@nifty/api/services'
import { atLeast, atLeastTimes, atMost, atMostTimes, type Limit, type Target } from '../results/target.ts'

const target = (number: number, name: string, unit: string, limit: Limit): Target => ({ number, name, unit, limit })

const perProgram = <Value>(of: (program: Program) => Value) =>
  Object.fromEntries(programs.map((program) => [program, of(program)])) as Record<Program, Value>

/** CPU of the serving processes, a request. The baseline is a bare Fastify process that sends the same bytes. */
const hotReads = (form: string) => ({
  market: target(1, `${form}: market of 200, brotli, CPU a request`, 'µs', atMostTimes(1.25)),
  marketPlain: target(1, `${form}: market of 200, plain, CPU a request`, 'µs', atMostTimes(1.25)),
  oldest: target(1, `${form}: oldest price after its change, while prices change`, 'ms', atMost(1_000)),
  underWrites: target(2, `${form}: requests a second while 20 prices a second change`, '/s', atLeastTimes(0.5)),
  underOffers: target(2, `${form}: requests a second while an offer a second is made`, '/s', atLeastTimes(0.5)),
  item: target(3, `${form}: item page, CPU a request`, 'µs', atMostTimes(1.6)),
  unchanged: target(3, `${form}: item page unchanged (304), CPU a request`, 'µs', atMostTimes(1.25)),
})

export const clusterReads = hotReads('cluster')
export const oneProcessReads = hotReads('one process')

export const idle = {
  cpu: perProgram((program) => target(4, `${program}: CPU while idle`, 'ms/s', atMost(5))),
  wakeUps: perProgram((program) => target(4, `${program}: wake-ups while idle`, '/s', atMost(20))),
  statements: target(4, 'SQL statements of the idle cluster', '/s', atMost(30)),
  // The chain of the cluster makes a block a second, and minting reads the header of each that has no logs.
  rpcCalls: target(4, 'RPC calls of idle minting to a node', '/s', atMost(2)),
}

export const purchase = {
  cpu: target(5, 'a purchase: CPU of all processes and PostgreSQL', 'ms', atMost(200)),
  // 14 of them handle events, and 6 are the claims and results of three mails.
  transactions: target(5, 'a purchase: SQL transactions', '', atMost(42)),
  processorCalls: target(5, 'a purchase: calls to the processor', '', atMost(5)),
}

export const crowd = {
  slowStarts: target(6, 'starts of a payments process, processor 350 ms', '/s', atLeast(40)),
  seen: target(6, 'a paid order seen, 95th percentile, processor 350 ms', 'ms', atMost(1_000)),
  serverErrors: target(6, 'responses with 5xx, processor 350 ms', '', atMost(0)),
  waitingStarts: target(6, 'starts of a payments process, 5,000 orders waiting', '/s', atLeast(40)),
  waitingSeen: target(6, 'a paid order seen, 95th percentile, 5,000 orders waiting', 'ms', atMost(1_000)),
  waitingServerErrors: target(6, 'responses with 5xx, 5,000 orders waiting', '', atMost(0)),
  fastStarts: target(6, 'starts of the machine, immediate processor', '/s', atLeast(100)),
}

/** The baseline is a loop of signed transfers on the same chain. */
export const sales = {
  single: target(7, 'purchases over one signer, from authorised orders', '/s', atLeastTimes(0.5)),
  batches: target(7, 'purchases over one signer, in batches', '/s', atLeastTimes(1)),
}

/** A year of a million orders. */
export const office = {
  months: target(13, 'office: figures of a year by month', 'ms', atMost(300)),
  days: target(13, 'office: figures of a year by day', 'ms', atMost(300)),
  today: target(13, 'office: figures of today', 'ms', atMost(300)),
  disputes: target(13, 'office: open disputes', 'ms', atMost(300)),
  newest: target(13, 'office: newest orders', 'ms', atMost(300)),
  ofSeller: target(13, 'office: newest orders of a seller of most', 'ms', atMost(300)),
  ofFormerSeller: target(13, 'office: orders of a seller of 240,000 old ones', 'ms', atMost(300)),
  growth: target(13, 'office: memory that further requests take', 'MB', atMost(10)),
}

/** The baseline of the first one is the same at rest. */
export const migration = {
  tail: target(14, 'inserts while a migration builds an index, 99th percentile', 'ms', atMostTimes(3)),
  waits: target(14, 'samples in which an insert waited for the table meanwhile', '', atMost(0)),
}

/** The baselines are a loop that locks and updates one row of the same server, and the same page at rest. */
export const auction = {
  decisions: target(15, 'bids decided a second on one work, without readers of their events', '/s', atLeastTimes(0.5)),
  reads: target(15, 'page of a work on auction: requests a second with one bid a second', '/s', atLeastTimes(0.8)),
}

/** The baseline is the same with 20,000 works. */
export const coldReads = {
  median: target(8, 'cold market query, 1,000,000 works, slowest ratio of the medians', 'ms', atMostTimes(2)),
  tail: target(8, 'cold market queries at half of the capacity: 99th percentile to median', 'ms', atMostTimes(3)),
  sequentialScans: target(8, 'sequential scans of the items by cold queries', '', atMost(0)),
  listing: target(8, 'listing a work, 1,000,000 works: CPU', 'ms', atMostTimes(2)),
}

export const pageNames = ['home', 'explore', 'item'] as const
export type PageName = (typeof pageNames)[number]
const perPage = (of: (page: PageName) => Target) =>
  Object.fromEntries(pageNames.map((page) => [page, of(page)])) as Record<PageName, Target>

export const firstVisit = {
  bytes: perPage((page) => target(9, `${page}: bytes of the first visit`, 'kB', atMost(300))),
  largestPaint: perPage((page) => target(9, `${page}: largest paint, slow 4G`, 's', atMost(1.8))),
  usable: perPage((page) =>
    target(9, `${page}: menu, price and Buy work, slow 4G, CPU 4 × as slow`, 's', atMostTimes(0.75)),
  ),
  performance: perPage((page) => target(9, `${page}: Lighthouse performance`, 'points', atLeast(98))),
}

export const memory = {
  process: perProgram((program) =>
    target(10, `${program}: resident memory under load`, 'MB', atMost(program === 'gateway' ? 200 : 150)),
  ),
  store: target(10, 'one process: resident memory after 10 minutes of load', 'MB', atMost(350)),
  growth: target(10, 'one process: growth from minute 5 to 10', 'MB', atMost(10)),
}

export const start = {
  second: target(11, 'second start until ready', 'ms', atMostTimes(6)),
  service: target(11, 'one service alone until it listens: CPU', 'ms', atMost(1_000)),
}

/** The baseline is the least that carries a row from one committed transaction to another. */
export const events = {
  local: target(12, 'event hop at 100 a second, PostgreSQL: median', 'ms', atMostTimes(3)),
  kafka: target(12, 'event hop at 100 a second, Kafka: median', 'ms', atMostTimes(4)),
  localBacklog: target(12, 'events drained from a backlog, PostgreSQL', '/s', atLeast(2_000)),
  kafkaBacklog: target(12, 'events drained from a backlog, Kafka', '/s', atLeast(2_000)),
}

/** All targets of a group above, also nested ones. */
export function targetsOf(group: object): Target[] {
  return 'limit' in group ? [group as Target] : Object.values(group).flatMap((each: object) => targetsOf(each))
}
