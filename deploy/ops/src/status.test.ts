import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getStatus, type OpsStatus, type SignerStatus } from '@nifty/api/minting/ops'
import { getMailQueue, type MailQueue } from '@nifty/api/notification/ops'
import type { Alarm } from '@nifty/api/payments/alarms'
import { listDisputes, type OpenDispute } from '@nifty/api/payments/disputes'
import { listOpenOrders } from '@nifty/api/payments/ops'
import { type Program, perService, type ServiceName, serviceNames } from '@nifty/api/services'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { statusCommand } from './status.ts'
import { NoResponse, ServiceDown, type Store } from './store.ts'

const signer: SignerStatus = {
  address: '0x8ba1f109551bD432803012645Ac136ddd64DBA72',
  state: 'active',
  keyConfigured: true,
  roles: { collection: true, delivery: true },
  haltedReason: null,
  haltedAt: null,
  nextNonce: 1,
  chainNonce: 1,
  nonceGap: 0,
  openTransactions: 0,
  oldestOpen: null,
  balance: { wei: '1', deliveriesLeft: 1_000, hoursLeft: 100 },
}
const idle: OpsStatus = {
  signers: [signer],
  deliveries: { waiting: 0, signed: 0, oldest: null },
  mintsWaiting: 0,
  chain: { headAgeSeconds: 2, indexAgeSeconds: 70, baseFeeGwei: 30, maxFeeGwei: 900, refusal: null },
  index: { block: 1, finalBlock: 1, haltedReason: null },
  finality: { waitSeconds: 0, reason: null },
  auditFindings: [],
}
const noMessages = { total: 0, deadLettered: 0, unpublished: { count: 0, oldest: null }, messages: [] }

const noMails: MailQueue = {
  waiting: 0,
  oldest: null,
  sending: 0,
  failedLastDay: 0,
  refusedLastDay: 0,
  acknowledgedLastDay: 0,
  error: null,
}

type Given = {
  chain?: Partial<OpsStatus>
  mails?: Partial<MailQueue>
  disputes?: OpenDispute[]
  alarms?: Alarm[]
  /** What a service does in place of a response. */
  broken?: { name: ServiceName; fails: () => Promise<never> }
  metricsOf?: (program: Program) => Promise<string | undefined>
}

async function report({ chain, mails, disputes = [], alarms = [], broken, metricsOf = async () => '' }: Given) {
  const responses = new Map<unknown, unknown>([
    [getStatus, { ...idle, ...chain }],
    [listOpenOrders, { orders: [], alarms, undecided: [], openLines: [] }],
    [listDisputes, { disputes }],
    [getMailQueue, { ...noMails, ...mails }],
  ])
  const client = async (endpoint: unknown) => responses.get(endpoint) ?? noMessages
  const clients = perService((name) => (name === broken?.name ? broken.fails : client))
  const found = await statusCommand.run({ ...clients, metricsOf } as unknown as Store, [], { reason: '' })
  if (typeof found === 'string') throw new Error('no report')
  return {
    ok: found.ok,
    rows: found.text.split('\n'),
    stuck: found.text.split('\n').filter((line) => line.startsWith('STUCK ')),
  }
}

const statusOf = async (chain: Partial<OpsStatus>, disputes: OpenDispute[] = []) => {
  const { ok, stuck } = await report({ chain, disputes })
  return { ok, stuck }
}
afterEach(() => void vi.useRealTimers())

test('nothing is stuck while one of the signers can sign', async () => {
  expect(await statusOf({ signers: [signer, { ...signer, keyConfigured: false }] })).toEqual({ ok: true, stuck: [] })
})

test('an announced stand-by without gas, roles and its key here is not stuck', async () => {
  const balance = { wei: '0', deliveriesLeft: 0, hoursLeft: 0 }
  const standBy = { ...signer, address: `0x${'2'.repeat(40)}`, keyConfigured: false, balance }
  for (const roles of [
    { collection: false, delivery: false },
    { collection: true, delivery: true },
  ])
    expect(await statusOf({ signers: [signer, { ...standBy, roles }] })).toEqual({ ok: true, stuck: [] })
})

test.each<[string, Partial<SignerStatus>]>([
  ['retired', { state: 'retired' }],
  ['draining', { state: 'draining' }],
  ['halted', { haltedReason: 'another program signs' }],
  ['without its key', { keyConfigured: false }],
  ['without a role', { roles: { collection: true, delivery: false } }],
])('the only signer is %s: no signer can sign', async (_, change) => {
  const { ok, stuck } = await statusOf({ signers: [{ ...signer, ...change }] })
  expect(ok).toBe(false)
  expect(stuck).toContainEqual(expect.stringContaining('no signer can sign'))
})

test('a signer whose roles are unknown, because the node does not respond, is not reported as one that cannot sign', async () => {
  const { stuck } = await statusOf({ signers: [{ ...signer, roles: null, chainNonce: null, balance: null }] })
  expect(stuck).toEqual(['STUCK the chain node does not respond.'])
})

test('a delivery that is stuck is reported with its line and the reason of its last attempt', async () => {
  const lineId = 'd3ea7c40-151c-497c-be4d-fd9114883227'
  const oldest = { lineId, state: 'waiting' as const, since: '2026-01-01T00:00:00.000Z', note: 'no moves left' }
  const { stuck } = await statusOf({ deliveries: { waiting: 1, signed: 0, oldest } })
  expect(stuck).toEqual([
    expect.stringMatching(`line ${lineId} .* waiting \\(no moves left\\).*retry-delivery ${lineId}`),
  ])
})

test.each<[string, Partial<OpsStatus>, RegExp]>([
  [
    'gas for 47 hours',
    { signers: [{ ...signer, balance: { wei: '1', deliveriesLeft: 4_700, hoursLeft: 47.9 } }] },
    /lasts for 47 hours at the present rate, 4700 deliveries/,
  ],
  [
    'a transaction without a block',
    { signers: [{ ...signer, nonceGap: 1, oldestOpen: '2026-01-01T00:00:00.000Z' }] },
    /in no block/,
  ],
  ['a block that is three minutes old', { chain: { ...idle.chain!, headAgeSeconds: 180 } }, /newest block 180 s old/],
  ['an index behind', { index: { block: 1, finalBlock: 102, haltedReason: null } }, /101 blocks behind/],
])('%s is reported, as the alert does', async (_, chain, line) => {
  const { ok, stuck } = await statusOf(chain)
  expect(ok).toBe(false)
  expect(stuck).toEqual([expect.stringMatching(line)])
})

test('what no alert reports is not stuck: a mined transaction that waits for finality, gas for two days', async () => {
  const balance = { wei: '1', deliveriesLeft: 481, hoursLeft: 48.1 }
  const waiting = { ...signer, balance, oldestOpen: '2026-01-01T00:00:00.000Z' }
  expect(await statusOf({ signers: [waiting] })).toEqual({ ok: true, stuck: [] })
})

test('open disputes, inquiries and warnings are reported as long as they need an answer', async () => {
  const common = { reason: 'fraudulent', amount: 120, withdrawn: 0, borneBy: 'platform', lineIds: null } as const
  const order = { orderId: 'b9a7c6f0-4c36-44ab-a2ae-2b66e65d2f76', buyerId: 'b9a7c6f0-4c36-44ab-a2ae-2b66e65d2f77' }
  const rest = {
    ...common,
    ...order,
    ambiguous: false,
    since: '2026-01-01T00:00:00.000Z',
    cleared: false,
    acknowledged: false,
  }
  const dueBy = '2026-01-10T00:00:00.000Z'
  const { ok, stuck } = await statusOf({}, [
    { ...rest, id: 'dp_1', kind: 'dispute', status: 'needs_response', dueBy },
    { ...rest, id: 'dp_2', kind: 'dispute', status: 'warning_needs_response', dueBy },
    { ...rest, id: 'dp_3', kind: 'dispute', status: 'under_review', dueBy: null },
    { ...rest, id: 'issfr_1', kind: 'fraud_warning', status: 'open', dueBy: null },
  ])
  expect(ok).toBe(false)
  expect(stuck).toEqual([
    expect.stringMatching(`STUCK dispute dp_1 of order ${order.orderId} .* until ${dueBy}`),
    expect.stringMatching('STUCK inquiry dp_2'),
    expect.stringMatching('STUCK fraud warning issfr_1'),
  ])
})

test('an acknowledged alarm is shown with who, when and why, and is not stuck; others name the command', async () => {
  const at = new Date().toISOString()
  const alarm = { name: 'disputed', subject: 'dp_1', orderId: null, detail: 'lost', times: 1, firstAt: at, lastAt: at }
  const acknowledged = { by: 'ada', reason: 'evidence is being collected', at, until: null }
  const { ok, rows, stuck } = await report({
    alarms: [
      { ...alarm, acknowledged },
      { ...alarm, subject: 'dp_2', acknowledged: null },
    ],
  })
  expect(ok).toBe(false)
  expect(stuck).toEqual([expect.stringContaining('pnpm ops acknowledge disputed dp_2')])
  expect(rows).toContainEqual(expect.stringContaining(`by ada at ${at}: evidence is being collected`))
  expect(await report({ alarms: [{ ...alarm, acknowledged }] })).toMatchObject({ ok: true, stuck: [] })
})

test('an acknowledged dispute is stuck again on the last day of the time for evidence', async () => {
  const dispute = {
    id: 'dp_1',
    kind: 'dispute',
    status: 'needs_response',
    reason: 'fraudulent',
    amount: 120,
    withdrawn: 0,
    borneBy: null,
    lineIds: null,
    ambiguous: false,
    cleared: false,
    acknowledged: true,
    buyerId: 'buyer',
    orderId: 'order',
    since: new Date().toISOString(),
  } as const
  const dueIn = (hours: number) => ({ ...dispute, dueBy: new Date(Date.now() + hours * 3_600_000).toISOString() })
  expect(await report({ disputes: [dueIn(48)] })).toMatchObject({ ok: true, stuck: [] })
  expect((await report({ disputes: [dueIn(23)] })).stuck).toEqual([expect.stringContaining('dispute dp_1')])
})

test.each([
  ['chain_late', 'newest block is older than ten minutes'],
  ['finality_late', 'final block that is indexed is older'],
  ['fee_cap', 'base fee is above CHAIN_MAX_FEE_GWEI'],
] as const)('while purchases are refused for %s, one line has the reason and the figures', async (refusal, reason) => {
  const { stuck } = await statusOf({ chain: { ...idle.chain!, headAgeSeconds: 720, baseFeeGwei: 950.25, refusal } })
  expect(stuck).toHaveLength(1)
  expect(stuck[0]).toMatch(reason)
  expect(stuck[0]).toContain('newest block 720 s old, indexed one 70 s, base fee 950.3 of at most 900 gwei')
})

const failures: [string, (name: ServiceName) => Promise<never>, RegExp][] = [
  ['is down', (name) => Promise.reject(new ServiceDown(`${name} does not respond at http://x.`)), /does not respond/],
  ['has no database', (name) => Promise.reject(new NoResponse(`${name}: its database does not respond.`)), /database/],
  ['fails', () => Promise.reject(new Error('Something went wrong')), /Something went wrong/],
  ['never answers', () => new Promise<never>(() => {}), /no response within \d+ seconds/],
]
const cases = failures.flatMap(([what, fails, line]) => serviceNames.map((name) => ({ name, what, fails, line })))

test.each(cases)('$name $what: one line says so, and all other sections are shown', async ({ name, fails, line }) => {
  vi.useFakeTimers()
  const reading = report({ broken: { name, fails: () => fails(name) } })
  await vi.advanceTimersByTimeAsync(60_000)
  const { ok, rows, stuck } = await reading
  expect(ok).toBe(false)
  expect(stuck).toEqual([expect.stringMatching(new RegExp(`^STUCK ${name}.*${line.source}`))])
  const sections = { payments: 'Open order lines', minting: 'Delivery', notification: 'Mails' }
  for (const [owner, title] of Object.entries(sections))
    expect(
      rows.some((row) => row.startsWith(title)),
      title,
    ).toBe(owner !== name)
})

test('what the roles of the operator leave out is one line for each role, and not stuck', async () => {
  const why = 'This needs an operator with the role chain.'
  const fails = () => Promise.reject(new ExpectedError('forbidden', 'role_required', why))

  const { ok, rows, stuck } = await report({ broken: { name: 'minting', fails } })

  expect({ ok, stuck }).toEqual({ ok: true, stuck: [] })
  expect(rows.filter((row) => row.includes(why))).toEqual([expect.stringMatching(/^Not shown +minting: /)])
  expect(rows.at(-1)).toBe('Nothing is stuck in what is shown.')
})

test.each([
  ['minting', 'nifty_collector_up{source="transport"} 0', 'Kafka does not respond'],
  ['auth', 'nifty_collector_up{source="database"} 0', 'auth: its database does not respond'],
  ['payments', 'nifty_processor_answers 0', 'the card processor does not respond'],
  ['minting', 'nifty_collector_up{source="pictures"} 0', 'minting: the object storage does not respond'],
  ['payments', 'nifty_reconcile_balanced 0', 'the last reconciliation found a difference'],
  ['catalog', 'nifty_market_cache_shared 0', 'Redis does not respond'],
  [
    'catalog',
    'nifty_offers_overdue_seconds 185.2',
    'an offer is 3 minutes past its end and open. See `pnpm ops offers`',
  ],
  [
    'catalog',
    'nifty_auctions_overdue_seconds 366.1',
    'an auction is 6 minutes past its end and not decided. See `pnpm ops auctions`',
  ],
  [
    'payments',
    'nifty_bids_undecided 1',
    'the money of 1 offer past its end is neither taken nor given back. See `pnpm ops orders`',
  ],
  ['gateway', 'nifty_rate_limits_shared 0', 'Redis does not respond'],
])('what the metrics of %s say is named: %s', async (program, metric, line) => {
  const metricsOf = async (each: Program) => (each === program ? `# HELP x\n${metric}\n` : 'nifty_x 0')
  const { ok, stuck } = await report({ metricsOf })
  expect(ok).toBe(false)
  expect(stuck).toEqual([expect.stringContaining(line)])
})

test('an auction whose bids banks may still confirm is not stuck', async () => {
  expect((await report({ metricsOf: async () => 'nifty_auctions_overdue_seconds 180' })).ok).toBe(true)
})

test('an offer that ends in this minute is not stuck', async () => {
  expect((await report({ metricsOf: async () => 'nifty_offers_overdue_seconds 59\nnifty_bids_undecided 0' })).ok).toBe(
    true,
  )
})

test('a gateway that does not respond is one line', async () => {
  const metricsOf = (program: Program) =>
    program === 'gateway' ? Promise.reject(new ServiceDown('gateway does not respond at x.')) : Promise.resolve('')
  expect((await report({ metricsOf })).stuck).toEqual(['STUCK gateway does not respond at x.'])
})

test('mails that wait too long, that were given up and that are refused in numbers are stuck, with the last error', async () => {
  const error = 'EENVELOPE RCPT TO 550 5.7.1 relaying denied'
  const oldest = new Date(Date.now() - 20 * 60_000).toISOString()
  const { rows, stuck } = await report({ mails: { waiting: 3, oldest, failedLastDay: 2, refusedLastDay: 40, error } })
  expect(rows.find((row) => row.startsWith('Mails'))).toContain('3 waiting, oldest for 20 minutes')
  expect(stuck).toEqual([
    expect.stringContaining('3 mails waiting for 20 minutes'),
    expect.stringMatching('2 mails given up .*pnpm ops acknowledge mails'),
    expect.stringContaining(`40 mails refused by the mail server within 24 hours. Last error: ${error}`),
  ])
  expect((await report({ mails: { waiting: 1, oldest: new Date().toISOString(), refusedLastDay: 1 } })).ok).toBe(true)
})

test('a nightly backup that did not come is stuck, where its folder is known', async () => {
  const folder = await temporaryFolder('backups')
  vi.stubEnv('BACKUP_DIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect((await report({})).stuck).toEqual([expect.stringContaining(`${folder} has no backup`)])

  const file = join(folder, '2026-11-26.tar')
  await writeFile(file, 'a')
  expect((await report({})).rows).toContainEqual(expect.stringMatching(/^Backup .* has one of 0 hours ago/))
  const yesterday = Date.now() / 1_000 - 27 * 3_600
  await utimes(file, yesterday, yesterday)
  expect(await report({})).toMatchObject({ ok: false, stuck: [expect.stringContaining('is 27 hours old')] })
})
