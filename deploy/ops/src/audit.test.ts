import { listFailedLogIns } from '@nifty/api/auth/ops'
import { listActions } from '@nifty/api/operator-actions'
import { listSecurityEvents } from '@nifty/api/security-events'
import { perService } from '@nifty/api/services'
import { expect, test } from 'vitest'
import { auditCommand } from './audit.ts'
import { NoResponse, type Store } from './store.ts'

const lineId = 'd3ea7c40-151c-497c-be4d-fd9114883227'
const event = {
  at: '2026-11-26T01:00:01.000Z',
  kind: 'operator',
  outcome: 'ok',
  count: 1,
  userId: null,
  sessionId: null,
  operator: 'ada',
  route: 'POST /internal/ops/refund',
  address: '10.0.0.7',
  requestId: 'r',
}
const action = {
  at: '2026-11-26T01:00:00.000Z',
  operator: 'ada',
  action: 'refund',
  subject: lineId,
  reason: 'changed\u0000mind',
}

/** Runs `audit` on a store where payments alone has events; returns its text and the queries of payments. */
async function audit(words: string[], catalog: () => Promise<unknown> = async () => ({ events: [], actions: [] })) {
  const queries: [unknown, unknown][] = []
  const clients = perService((name) => async (endpoint: unknown, { query }: { query: unknown }) => {
    if (name === 'catalog') return catalog()
    if (name !== 'payments') return { events: [], actions: [] }
    queries.push([endpoint, query])
    return endpoint === listActions ? { actions: [action] } : { events: [event] }
  })
  const report = await auditCommand.run(clients as unknown as Store, words, { reason: '' })
  if (typeof report === 'string') throw new Error('no report')
  return { ...report, lines: report.text.split('\n'), queries }
}

test('an operator’s action is printed with its object and its reason, in the order of time', async () => {
  const { ok, lines } = await audit([])
  expect(ok).toBe(true)
  expect(lines[1]).toMatch(new RegExp(`payments +refund +done +1 +ada +${lineId} .*changed mind$`))
  expect(lines[2]).toMatch(/payments +operator +ok +1 +ada .*POST \/internal\/ops\/refund$/)
})

test('an id is an account or another object, a kind also an action, and the audit log has no addresses', async () => {
  expect((await audit([lineId, 'refund'])).queries).toEqual([
    [listSecurityEvents, { user: lineId, kind: 'refund' }],
    [listActions, { subject: lineId, word: 'refund' }],
  ])
  expect((await audit(['operator'])).queries[1]).toEqual([listActions, {}])
  expect((await audit(['10.0.0.7'])).queries).toEqual([[listSecurityEvents, { address: '10.0.0.7' }]])
})

test('a service without an answer is one line, and the others are printed', async () => {
  const { ok, lines } = await audit([], () => Promise.reject(new NoResponse('catalog: its database does not respond.')))
  expect(ok).toBe(false)
  expect(lines.at(-1)).toBe('catalog: its database does not respond.')
  expect(lines[1]).toContain(lineId)
})

test('failed log-ins are counted by address, with the accounts that were entered from there', async () => {
  const response = {
    addresses: [{ address: '192.0.2.7', failed: 230, accounts: 210, entered: [lineId] }],
    addressesInAll: 1,
    accountsInAll: 210,
  }
  const queries: unknown[] = []
  const auth = async (endpoint: unknown, { query }: { query: unknown }) => {
    queries.push([endpoint, query])
    return response
  }
  const since = new Date('2026-11-27T03:00:00Z')
  const run = (words: string[]) =>
    auditCommand.run({ auth } as unknown as Store, words, { reason: '' }, since, { byAddress: true })

  const report = await run(['log_in'])

  expect(queries).toEqual([[listFailedLogIns, { since: '2026-11-27T03:00:00.000Z' }]])
  expect(report).toMatchObject({ ok: true, json: response })
  expect((report as { text: string }).text).toMatch(
    new RegExp(`192\\.0\\.2\\.7 +230 +210 +${lineId}\\s+In all since .*: addresses 1, accounts 210`),
  )
  await expect(run(['192.0.2.7'])).rejects.toThrow('counts log-ins only')
})
