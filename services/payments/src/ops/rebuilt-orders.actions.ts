import { getBuyer } from '@nifty/api/auth/internal'
import { listUnexpectedTokens } from '@nifty/api/minting/internal'
import type { RebuiltOrders } from '@nifty/api/payments/rebuilt-orders'
import { toEuros } from '@nifty/api/shapes'
import { tokenOf } from '@nifty/events/shapes'
import { ExpectedError } from '@nifty/service-kit/base/errors'
import type { Order } from '../db.ts'
import type { Deps } from '../deps.ts'
import { linesOfOrders } from '../orders/line.store.ts'
import { orderState } from '../orders/line.ts'
import { orMissing } from '../processor/failure.ts'

const AT_MOST = 10_000

/** Orders that were rebuilt after a restore, oldest first, and the accounts in them that auth does not have. */
export async function listRebuiltOrders(deps: Deps): Promise<RebuiltOrders> {
  const { db, processor } = deps
  const orders = await db
    .selectFrom('orders')
    .selectAll()
    .where('rebuiltAt', 'is not', null)
    .orderBy('createdAt')
    .limit(AT_MOST)
    .execute()
  const ids = orders.map(({ id }) => id)
  const linesByOrder = Map.groupBy(await linesOfOrders(db, ids), ({ orderId }) => orderId)
  const lines = [...linesByOrder.values()].flat()
  const people = new Set([
    ...orders.map(({ buyerId }) => buyerId),
    ...lines.flatMap(({ sellerId, creatorId }) => [sellerId, creatorId].filter((id) => id !== null)),
  ])
  const unknownIds: string[] = []
  for (const id of people) if (!(await isKnown(deps, id))) unknownIds.push(id)

  const payer = async ({ sessionId }: Order) =>
    sessionId ? (await orMissing(processor.session(sessionId)))?.customer : null
  const accounts: RebuiltOrders['unknownAccounts'] = []
  for (const userId of unknownIds) {
    const order = orders.find(({ buyerId }) => buyerId === userId)
    const customer = order ? await payer(order) : null
    accounts.push({ userId, name: customer?.name ?? null, email: customer?.email ?? null })
  }
  const newest = await db
    .selectFrom('payout')
    .select(({ fn }) => fn.max('at').as('at'))
    .executeTakeFirst()
  return {
    orders: orders.map(({ id, buyerId, createdAt, totalCents, capturedCents, money }) => ({
      _id: id,
      buyerId,
      createdAt: createdAt.toISOString(),
      state: orderState(linesByOrder.get(id) ?? []),
      money,
      total: toEuros(totalCents),
      captured: toEuros(capturedCents),
      works: (linesByOrder.get(id) ?? []).flatMap(({ contract, identifier, name }) =>
        contract && identifier ? [{ token: tokenOf(contract, identifier), name: name ?? '' }] : [],
      ),
    })),
    unknownAccounts: accounts,
    unknownTokens: (await deps.minting(listUnexpectedTokens)).tokens,
    newestPayoutAt: newest?.at?.toISOString() ?? null,
  }
}

async function isKnown({ auth }: Deps, id: string): Promise<boolean> {
  try {
    await auth(getBuyer, { params: { id } })
    return true
  } catch (error) {
    if (error instanceof ExpectedError && error.statusCode === 404) return false
    throw error
  }
}
