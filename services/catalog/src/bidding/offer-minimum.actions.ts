import { toCents } from '@nifty/api/shapes'
import { invalid } from '@nifty/service-kit/base/errors'
import type { Transaction } from 'kysely'
import { lockAccountShared } from '../accounts/account.store.ts'
import { requireSeller } from '../accounts/account.ts'
import type { Database } from '../db.ts'
import { requireUncontested } from '../items/contested-line.store.ts'
import { lockItem, saveItem } from '../items/item.store.ts'
import { requireNotOnAuction, requireVisible } from '../items/item.ts'
import { databaseNow, requireUsualPrice } from '../items/listing.actions.ts'

/** Cents of a minimum in euros; null: no offers are taken. Throws 400 `invalid_amount`. */
export function readMinimum(minimum: unknown): number | null {
  if (minimum === null) return null
  const cents = toCents(minimum)
  if (cents !== null) return cents
  const msg = 'The least offer must be between 0.50 and 999999.99 with at most 2 decimals'
  throw invalid('invalid_amount', msg, { errors: [{ msg, path: 'minimum' }] })
}

type Minimum = { itemId: string; userId: string; minimumCents: number | null; steppedUp: boolean }

/** Takes offers from a price on, or none from now on. Open offers stay. An unusual price needs a step-up. */
export async function setOfferMinimum(
  trx: Transaction<Database>,
  { itemId, userId, minimumCents, steppedUp }: Minimum,
) {
  requireSeller(await lockAccountShared(trx, userId))
  const item = requireVisible(await lockItem(trx, itemId), userId)
  if (item.offerMinimumCents === minimumCents) return
  if (minimumCents !== null) {
    requireNotOnAuction(item)
    await requireUncontested(trx, item)
    const now = await databaseNow(trx)
    const { confirm } = await requireUsualPrice(trx, item, { userId, priceCents: minimumCents, steppedUp, now })
    await confirm()
  }
  await saveItem(trx, { ...item, offerMinimumCents: minimumCents })
}
