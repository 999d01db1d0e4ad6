import { listRebuiltOrders } from '@nifty/api/payments/rebuilt-orders'
import { tokenOf } from '@nifty/events/shapes'
import { expect, test } from 'vitest'
import { givenLostOrder, pay, rebuildAll } from '../testing/lost-order.ts'
import { startTestPayments } from '../testing/payments.ts'

const payments = await startTestPayments({ manual: true })

test('the operator’s list names each rebuilt order, and the accounts that auth does not have', async () => {
  const known = payments.peers.givenBuyer().userId
  const item = payments.peers.givenItem({ sellerId: known, creatorId: known })
  const lost = await givenLostOrder(payments, [item])
  await pay(payments, lost)
  await rebuildAll(payments)
  const { orders, unknownAccounts, newestPayoutAt } = await payments.internal(listRebuiltOrders)
  expect(orders.find(({ _id }) => _id === lost.orderId)).toMatchObject({
    state: 'released',
    buyerId: lost.buyerId,
    works: [{ token: tokenOf(item.contract, item.identifier), name: 'Dusk' }],
  })
  const { customer } = await payments.deps.processor.session(lost.session.id)
  expect(customer?.email).toContain('@')
  expect(unknownAccounts).toContainEqual({ userId: lost.buyerId, ...customer })
  expect(unknownAccounts.map(({ userId }) => userId)).not.toContain(known)
  expect(newestPayoutAt).toBeNull()
})
