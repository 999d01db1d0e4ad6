import { type Mutant, mutant } from './mutant.ts'

const payments = 'services/payments/src'
const steps = `${payments}/orders/steps`
const captureTest = `${steps}/capture.test.ts`

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
    'lost-hold-leaves-what-is-signed',
    'M3: a hold that ends stops a signed delivery that no block has',
    { file: `${payments}/orders/order.ts`, find: "if (order.money === 'lapsed') return 'hold_lost'", replace: '' },
    {
      file: `${steps}/late-hold.test.ts`,
      title: 'a hold that is cancelled while a delivery is signed stops the delivery, and the line is released',
    },
  ),
  mutant(
    'warning-leaves-what-is-signed',
    'M11: a fraud warning before the delivery stops it',
    {
      file: `${payments}/reversals/reversal.actions.ts`,
      find: "if (isDisputing(after) || after.kind === 'fraud_warning') await stopUndelivered(trx, order, 'dispute')",
      replace: '',
    },
    { file: `${payments}/ops/ops.test.ts`, title: 'a signed delivery that no block has is stopped by a fraud warning' },
  ),
]
