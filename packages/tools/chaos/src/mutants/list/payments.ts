import { type Mutant, mutant } from './mutant.ts'

const payments = 'services/payments/src'
const steps = `${payments}/orders/steps`
const captureTest = `${steps}/capture.test.ts`
const payouts = `${payments}/books/payout.actions.ts`

export const paymentMutants: Mutant[] = [
  mutant(
    'any-captured-amount',
    'a capture counts when its amount is ours',
    {
      file: `${steps}/capture.ts`,
      find: "hold.status === 'succeeded' && hold.capturedCents === order.captureCents",
      replace: "hold.status === 'succeeded'",
    },
    {
      file: captureTest,
      title: 'an amount that was captured by hand is not taken for ours: it raises an alarm and completes nothing',
    },
  ),
  mutant(
    'early-dispute-forgotten',
    'a dispute before the response to our capture counts',
    {
      file: `${payments}/reversals/book-order.ts`,
      find: 'if (latest) await bookOrder(',
      replace: 'if (false) await bookOrder(',
    },
    {
      file: captureTest,
      title: 'a dispute whose event arrives before the response to our capture makes the line disputed',
    },
  ),
  mutant(
    'old-refund-sent-again',
    'an old refund is looked for before it is sent again',
    {
      file: `${payments}/refunds/refund.actions.ts`,
      find: 'if (isKeyExpired(refund.requestedAt, order.now))',
      replace: 'if (false)',
    },
    {
      file: `${payments}/refunds/refund.test.ts`,
      title: 'a refund that was requested a day ago is looked for before it is sent again',
    },
  ),
  mutant(
    'no-book-guard',
    'books are append-only',
    {
      file: 'services/payments/migrations/002-money.sql',
      find: 'create trigger book_guard before update or delete on book_entry for each row execute function book_guard();',
      replace: '',
    },
    {
      file: `${payments}/books/payout.test.ts`,
      title: 'book entries are neither changed nor deleted, and paid out once',
    },
  ),
  {
    name: 'payout-not-locked',
    rule: 'an account is paid out once (second guard: the trigger book_guard)',
    edits: [
      {
        file: payouts,
        find: 'select pg_advisory_xact_lock(',
        replace: 'select (',
      },
      { file: payouts, find: '    .forUpdate()\n', replace: '' },
    ],
    tests: [
      {
        file: `${payments}/books/payout.test.ts`,
        title: 'a payout waits for another one of the same account, and then finds nothing due',
      },
    ],
  },
  mutant(
    'capture-without-key',
    'a capture has an idempotency key (second guard: the state of the intent)',
    {
      file: `${payments}/processor/processor.ts`,
      find: 'metadata: { capture: idempotencyKey } },\n          { idempotencyKey },',
      replace: 'metadata: { capture: idempotencyKey } },',
    },
    { file: captureTest, title: 'a killed process’s capture is sent again under the same key and answered alike' },
  ),
  mutant(
    'taken-item-not-refused',
    'an item has one live line (second guard: the index line_live)',
    {
      file: `${payments}/orders/line.store.ts`,
      find: 'and other.seller_id is not null and other.state in',
      replace: 'and false and other.state in',
    },
    {
      file: `${payments}/purchases/race.test.ts`,
      title: 'an item that catalog frees before its order is closed here is refused to the next buyer',
    },
  ),
  mutant(
    'release-by-timer',
    'a line is released when minting has promised not to deliver it',
    { file: `${steps}/stop-delivery.ts`, find: 'if (!stopped) continue', replace: 'if (!stopped && !late) continue' },
    {
      file: `${payments}/orders/cancellation.test.ts`,
      title:
        'past the deadline unsigned lines are released, and minting is requested to cancel the signed ones on the chain',
    },
  ),
  mutant(
    'capture-before-finality',
    'a line is captured when its delivery is final',
    {
      file: `${payments}/orders/delivery.consumers.ts`,
      find: "withLine(trx, data, (line) => moveInDelivery(trx, line, 'delivering', data.txHash)),",
      replace: `withLine(trx, data, async (line, order) => {
      await moveInDelivery(trx, line, 'delivered', data.txHash)
      await wakeOrder(trx, order.id)
    }),`,
    },
    { file: captureTest, title: 'of two lines only the delivered one is captured, once both are final' },
  ),
  mutant(
    'signature-not-checked',
    'a webhook counts when the processor signed it',
    {
      file: `${payments}/webhooks/signature.ts`,
      find: 'return Stripe.webhooks.constructEvent(rawBody, signature, secret, TOLERANCE_S)',
      replace: 'return JSON.parse(String(rawBody))',
    },
    { file: `${payments}/webhooks/webhook.routes.test.ts`, title: 'an event that is ' },
  ),
  mutant(
    'expiry-recomputed',
    'a repeated session request has the parameters of the first one',
    {
      file: `${steps}/open-session.ts`,
      find: 'processor.createSession(order.sessionRequest as Stripe.Checkout.SessionCreateParams,',
      replace: `processor.createSession(
      { ...(order.sessionRequest as object), expires_at: Math.floor(order.now.getTime() / 1000) + 2_100 },`,
    },
    {
      file: `${steps}/lost-responses.test.ts`,
      title: 'a session request that is repeated later has the parameters that were stored',
    },
  ),
  mutant(
    'named-lines-ignored',
    'a refund takes from the lines that an operator named',
    {
      file: `${payments}/books/allocation.ts`,
      find: 'lineIds?.some((id) => left.has(id)) ?? false',
      replace: 'lineIds === undefined',
    },
    {
      file: `${payments}/books/allocation.test.ts`,
      title: 'a withdrawal takes from its named lines, whatever else was withdrawn before',
    },
  ),
  mutant(
    'open-reversal-settled',
    'an order whose refund or dispute may change is compared again',
    {
      file: `${payments}/reconciliation/reconciliation.ts`,
      find: "order.money !== 'held' && !facts.isReversalOpen",
      replace: "order.money !== 'held'",
    },
    {
      file: `${payments}/reconciliation/compare-order.test.ts`,
      title: 'an order is not settled while its money is held, or a refund or dispute of it may change',
    },
  ),
  mutant(
    'reconciled-since-year-one',
    'a reconciliation starts at a time that the processor accepts',
    {
      file: `${payments}/reconciliation/reconciliation.routes.ts`,
      find: 'since.getTime() >= EARLIEST',
      replace: 'since.getTime() >= -Infinity',
    },
    {
      file: `${payments}/reconciliation/run-page.test.ts`,
      title: 'a run is joined by a second request; one of another period is refused meanwhile',
    },
  ),
  mutant(
    'reserved-at-another-price',
    'a payment page opens for the prices that were ordered',
    {
      file: `${steps}/reserve.ts`,
      find: 'if (lines.some(({ itemId, priceCents }) => byItem.get(itemId)?.priceCents !== priceCents))',
      replace: 'if (false)',
    },
    {
      file: `${steps}/lost-responses.test.ts`,
      title: 'a reservation at another price than ordered opens no payment page',
    },
  ),
]
