import { randomUUID } from 'node:crypto'
import { acknowledgeLostWork, compareToken } from '@nifty/api/payments/lost-works'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { reconcile } from '../testing/reconciliation.ts'

const reason = 'minted after the backup'
const detail = 'is on the chain, but not in catalog'

/** A store whose restored databases lack the mint of a token. */
async function givenLostWork() {
  const payments = await startTestPayments({ manual: true })
  const owner = randomUUID()
  const lose = (token: string) => {
    payments.peers.tokenOwners.set(token, owner)
    payments.peers.unknownTokens.add(token)
  }
  lose('0xb/1')
  const acknowledge = (token: string) => payments.internal(acknowledgeLostWork, { body: { token, reason } })
  const sides = (token: string) => payments.internal(compareToken, { query: { token } })
  return { payments, owner, lose, acknowledge, sides }
}

test('a lost work that an operator acknowledged is no difference any more, and is listed', async () => {
  const { payments, owner, lose, acknowledge, sides } = await givenLostWork()
  expect(await reconcile(payments, { all: true })).toMatchObject({ differenceCount: 1, acknowledged: [] })
  expect(await sides('0xb/1')).toEqual({
    token: '0xb/1',
    chain: { ownerId: owner, hasMint: false },
    item: null,
    difference: detail,
    acknowledged: null,
  })

  const acknowledged = { by: 'ada', reason, at: expect.stringMatching(/Z$/) }
  expect(await acknowledge('0xb/1')).toMatchObject({ acknowledged })
  for (const all of [true, false])
    expect(await reconcile(payments, { all })).toMatchObject({
      differenceCount: 0,
      differences: [],
      acknowledgedCount: 1,
      acknowledged: [{ kind: 'token', subject: '0xb/1', detail, acknowledged }],
    })
  const metrics = await (await fetch(`${payments.internalUrl}/metrics`)).text()
  expect(metrics).toMatch(/^nifty_reconcile_balanced(\{.*\})? 1$/m)
  expect(await listOperatorActions(payments.db, ['0xb/1'])).toMatchObject([
    { action: 'acknowledge-lost-work', operator: 'ada', reason },
  ])

  lose('0xb/2')
  expect(await reconcile(payments)).toMatchObject({
    differenceCount: 1,
    differences: [{ subject: '0xb/2', detail }],
    acknowledgedCount: 1,
  })
})

test('an acknowledgement ends when catalog has the work with another owner, or as it is on the chain', async () => {
  const { payments, owner, acknowledge, lose, sides } = await givenLostWork()
  lose('0xb/2')
  await reconcile(payments, { all: true })
  for (const token of ['0xb/1', '0xb/2']) await acknowledge(token)

  payments.peers.itemOwners.set('0xb/1', null).set('0xb/2', owner)
  expect(await reconcile(payments)).toMatchObject({
    differences: [{ subject: '0xb/1', detail: `belongs to ${owner} on the chain, to nobody in catalog` }],
    acknowledgedCount: 0,
  })
  expect(await sides('0xb/2')).toMatchObject({ item: { ownerId: owner }, difference: null, acknowledged: null })
})

test('only an open difference of a work that catalog does not have is acknowledged, once', async () => {
  const { payments, owner, acknowledge } = await givenLostWork()
  await expect(acknowledge('0xb/1')).rejects.toMatchObject({ code: 'difference_not_found' })

  await reconcile(payments, { all: true })
  const first = await acknowledge('0xb/1')
  expect(await acknowledge('0xb/1')).toEqual(first)
  expect(await listOperatorActions(payments.db, ['0xb/1'])).toHaveLength(1)

  payments.peers.itemOwners.set('0xb/1', owner)
  await expect(acknowledge('0xb/1')).rejects.toMatchObject({ code: 'work_not_lost' })
  await expect(acknowledge('0xb/3')).rejects.toMatchObject({ code: 'difference_not_found' })
})
