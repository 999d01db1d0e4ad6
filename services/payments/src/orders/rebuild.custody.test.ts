import { expect, test } from 'vitest'
import { deliverOnChain, givenLostOrder, pay, rebuildAll } from '../testing/lost-order.ts'
import { startTestPayments } from '../testing/payments.ts'
import { alarms, lines } from '../testing/sale.ts'

const payments = await startTestPayments({ manual: true })
const { peers } = payments

const states = async (orderId: string) => (await lines(payments, orderId)).map(({ state }) => state)

test('an order into custody is captured if the delivery is for its buyer, whom minting gets to know', async () => {
  const lost = await givenLostOrder(payments, undefined, null)
  await pay(payments, lost)
  deliverOnChain(payments, lost.sold[0]!, { keptFor: lost.buyerId })
  await rebuildAll(payments)
  expect(await states(lost.orderId)).toEqual(['completed'])
  const requests = peers.stopRequests.filter(({ lineId }) => lineId === lost.sold[0]!.lineId)
  expect(new Set(requests.map(({ keepFor }) => keepFor))).toEqual(new Set([lost.buyerId]))

  const other = await givenLostOrder(payments, undefined, null)
  await pay(payments, other)
  deliverOnChain(payments, other.sold[0]!, { keptFor: lost.buyerId })
  await rebuildAll(payments)
  expect(await states(other.orderId)).toEqual(['placed'])
  expect(await alarms(payments)).toContain('delivery_contradiction')
})
