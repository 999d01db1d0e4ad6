import { expireSession } from '../checkout/session.actions.ts'
import { expireHold } from '../payments/capture.actions.ts'
import { finishRefund } from '../refunds/refund.actions.ts'
import type { StoredObject } from '../store/object.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transaction.ts'
import { automatic } from '../store/transaction.ts'

const responsesKeptSeconds = 24 * 60 * 60

/** Applies all automatic changes that are due: sessions and holds expire, refunds finish, old responses are deleted. */
export function applyDueChanges(store: Store) {
  for (const stored of store.dueObjects()) store.transaction(automatic, (tx) => applyDueChange(tx, stored))

  const deleteBefore = store.clock.seconds() - responsesKeptSeconds
  for (const [key, { created }] of store.responses) {
    if (created > deleteBefore) break
    store.responses.delete(key)
  }
}

function applyDueChange(tx: Transaction, stored: StoredObject) {
  if (stored.object === 'checkout.session') expireSession(tx, stored)
  if (stored.object === 'sandbox.payment') expireHold(tx, tx.get('payment_intent', stored.id))
  if (stored.object === 'sandbox.pending_refund') finishRefund(tx, stored)
}
