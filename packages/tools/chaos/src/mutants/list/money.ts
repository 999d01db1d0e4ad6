import { type Mutant, mutant } from './mutant.ts'

const payments = 'services/payments/src'
const test = (file: string, title: string) => ({ file: `${payments}/${file}`, title })
const reversals = (title: string) => test('reversals/reversals.test.ts', title)
const bookStore = `${payments}/books/book.store.ts`

/** After the sale: payouts, refunds, disputes, holds that end, and what was paid unnoticed. */
export const moneyMutants: Mutant[] = [
  mutant(
    'disputed-is-due',
    'M3: a disputed line is not paid out',
    { file: bookStore, find: "when l.state not in ('completed', 'written_off')", replace: 'when false' },
    reversals('a disputed sale is not paid out; when the dispute is won it is, when it is lost platform bears it'),
  ),
  mutant(
    'no-hold-back',
    'M3: shares are due after the hold-back period',
    { file: bookStore, find: "when o.due_at > now() then 'waiting'", replace: "when false then 'waiting'" },
    test('books/payout.test.ts', 'shares wait for the hold-back period, and pay-out refuses them until then'),
  ),
  mutant(
    'refund-events-ignored',
    'M4: a refund made at the processor is booked',
    {
      file: `${payments}/webhooks/webhook.actions.ts`,
      find: 'if (isReversalEvent(event.type)) await syncReversals(trx, deps, order.id)',
      replace: '',
    },
    reversals('a refund made at the processor refunds the line; platform bears it until the seller is named'),
  ),
  mutant(
    'refused-refund-failed',
    'M4: a refused refund is looked for at the processor',
    {
      file: `${payments}/refunds/refund.actions.ts`,
      find: '  await syncReversals(trx, deps, order.id)\n',
      replace: '',
    },
    reversals('ops refund finds a refund that was made at the processor, and pays nothing twice'),
  ),
  mutant(
    'late-hold-unread',
    'M8: the end of a late line’s hold is noticed',
    { file: `${payments}/orders/steps/stop-delivery.ts`, find: '  await isHoldLost(context)\n', replace: '' },
    test('orders/steps/late-hold.test.ts', 'a hold that lapses after the deadline of a signed delivery is noticed'),
  ),
  mutant(
    'pending-stop-hides-hold',
    'M8: the end of a late line’s hold is noticed while minting cannot answer',
    { file: `${payments}/orders/steps/stop-delivery.ts`, find: '      await noticeLate(context)\n', replace: '' },
    test(
      'orders/steps/late-hold.test.ts',
      'a hold that lapses while minting cannot say whether the line was delivered is noticed',
    ),
  ),
  mutant(
    'polls-before-captures',
    'M15: polls of open pages delay no capture',
    {
      file: `${payments}/orders/order.store.ts`,
      find: "    .where('nextRunIsPoll', '=', kind === 'poll')\n",
      replace: '',
    },
    test('orders/due-orders.test.ts', 'a due capture goes before polls of open pages that have been due for longer'),
  ),
  mutant(
    'accepted-amount-not-booked',
    'M16: an amount that was captured by hand can be accepted',
    {
      file: `${payments}/ops/acceptance.ts`,
      find: "return lines.some(isInDelivery) ? 'wait' : 'record_capture'",
      replace: "return 'none'",
    },
    test(
      'ops/acceptance.test.ts',
      'too little captured by hand: sellers get their shares, the platform bears the rest',
    ),
  ),
  mutant(
    'one-refund-stops-others',
    'M17: a refund without a response is tried again after the others',
    {
      file: `${payments}/refunds/refund.actions.ts`,
      find: '  await postponeRefund(deps.longPool, due.lineId)\n',
      replace: '',
    },
    test('refunds/refund.test.ts', 'a refund without a response is tried again after the others'),
  ),
  mutant(
    'inquiry-is-dispute',
    'M18: an inquiry leaves its line refundable',
    { file: `${payments}/reversals/reversal.ts`, find: '!isInquiry(status) && ', replace: '' },
    reversals(
      'an inquiry raises an alarm and leaves the line refundable; when it becomes a dispute the line is disputed',
    ),
  ),
  mutant(
    'found-payment-ignored',
    'M21: a payment of a session that was believed missing is found',
    {
      file: `${payments}/webhooks/webhook.actions.ts`,
      find: 'if (isFound) await storeFoundPayment(trx, order.id, event)',
      replace: '',
    },
    test(
      'orders/steps/found-session.test.ts',
      'a payment of a session that was believed missing is found: its hold is cancelled, with an alarm',
    ),
  ),
  mutant(
    'payee-forgotten',
    'M22: a deleted account that is owed money stays payable',
    {
      file: `${payments}/consumers.ts`,
      find: '    await keepPayee(trx, { userId, firstName, username, email, deletedAt: new Date(at) })\n',
      replace: '',
    },
    test(
      'books/payout.test.ts',
      'a deleted account that is owed money stays payable, and is forgotten once it was paid',
    ),
  ),
  mutant(
    'refund-forgets-payee',
    'M22: a deleted account that bears a refund stays payable while it may fail',
    { file: `${payments}/books/open-reversal.ts`, find: "or reversal.kind = 'refund'", replace: 'or false' },
    test('books/payee.test.ts', 'a deleted seller is owed a refund that fails at the bank, and can be paid'),
  ),
  mutant(
    'cause-hidden',
    'O4: a failed page names who failed',
    {
      file: `${payments}/reconciliation/run-page.ts`,
      find: "naming('minting', deps.minting)",
      replace: 'deps.minting',
    },
    test(
      'reconciliation/run-page.test.ts',
      'a failed page names its cause, is repeated, and the run is finished afterwards',
    ),
  ),
  mutant(
    'requested-refund-due',
    'M3: a line whose refund has no response yet is not paid out',
    {
      file: bookStore,
      find: "or exists (select from refund r where r.line_id = l.id and r.state = 'requested')",
      replace: '',
    },
    test('refunds/refund.test.ts', 'a refund without a response holds the payout back'),
  ),
  mutant(
    'pending-refund-due',
    'M3: a line whose refund is pending at the processor is not paid out',
    { file: bookStore, find: " or r.kind = 'refund' and r.status in ('pending', 'requires_action')", replace: '' },
    test('refunds/refund.test.ts', 'a refund of the processor that is pending holds the payout back'),
  ),
  mutant(
    'refunded-while-unnamed',
    'M4: no line is refunded while a part of its order was refunded for lines that are not named',
    { file: `${payments}/refunds/refund.actions.ts`, find: 'if (unnamed)', replace: 'if (false)' },
    test(
      'reversals/parts.test.ts',
      'no line of an order is refunded while a part of it was refunded for lines that are not named',
    ),
  ),
  mutant(
    'assigned-beyond-line',
    'M4: refunds are assigned to lines of which enough is left',
    {
      file: `${payments}/reversals/assignment.actions.ts`,
      find: 'capturedCents - (await takenByOthers(trx, reversal, captured, ids))',
      replace: 'capturedCents',
    },
    test('reversals/parts.test.ts', 'a refund is not assigned to a line of which other refunds have left less'),
  ),
  mutant(
    'adopted-refund-unread',
    'M2, M4: the refunds of an order that comes back after a restore are read',
    {
      file: `${payments}/orders/steps/adopt-payment.ts`,
      find: 'if (hold.isReversed) await syncReversals(trx, context, order.id)',
      replace: '',
    },
    test(
      'orders/rebuild.reversals.test.ts',
      'a refund that was made since the backup is booked with the rebuilt order',
    ),
  ),
  mutant(
    'accepted-before-chain',
    'M2, M16: what was captured before a restore is accepted after the chain was read',
    {
      file: `${payments}/ops/acceptance.ts`,
      find: "isOfLostTime(order, hold) ? 'wait' : 'start_delivery'",
      replace: "'start_delivery'",
    },
    test(
      'orders/steps/adopt-payment.test.ts',
      'what was captured for a line that the chain delivered to another wallet is accepted once the order is cancelled',
    ),
  ),
]
