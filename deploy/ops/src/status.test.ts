import { getStatus, type OpsStatus, type SignerStatus } from '@nifty/api/minting/ops'
import { listDisputes, type OpenDispute } from '@nifty/api/payments/disputes'
import { listOpenOrders } from '@nifty/api/payments/ops'
import { perService } from '@nifty/api/services'
import { expect, test } from 'vitest'
import { statusCommand } from './status.ts'
import type { Store } from './store.ts'

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
  balance: { wei: '1', deliveriesLeft: 1_000 },
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

async function statusOf(chain: Partial<OpsStatus>, disputes: OpenDispute[] = []) {
  const responses = new Map<unknown, unknown>([
    [getStatus, { ...idle, ...chain }],
    [listOpenOrders, { orders: [], alarms: [], openLines: [] }],
    [listDisputes, { disputes }],
  ])
  const client = async (endpoint: unknown) => responses.get(endpoint) ?? noMessages
  const report = await statusCommand.run(perService(() => client) as unknown as Store, [], { reason: '' })
  if (typeof report === 'string') throw new Error('no report')
  return { ok: report.ok, stuck: report.text.split('\n').filter((line) => line.startsWith('STUCK ')) }
}

test('nothing is stuck while one of the signers can sign', async () => {
  expect(await statusOf({ signers: [signer, { ...signer, keyConfigured: false }] })).toEqual({ ok: true, stuck: [] })
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

test('open disputes, inquiries and warnings are reported as long as they need an answer', async () => {
  const common = { reason: 'fraudulent', amount: 120, withdrawn: 0, borneBy: 'platform', lineIds: null } as const
  const order = { orderId: 'b9a7c6f0-4c36-44ab-a2ae-2b66e65d2f76', buyerId: 'b9a7c6f0-4c36-44ab-a2ae-2b66e65d2f77' }
  const rest = { ...common, ...order, ambiguous: false, since: '2026-01-01T00:00:00.000Z', cleared: false }
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
