import { expect, test, vi } from 'vitest'
import { decodeForm } from './api/form.ts'
import { describedVersion, openSpec } from './testing/openapi.ts'
import {
  givenCapture,
  givenHold,
  givenSession,
  type RawResponse,
  type Sandbox,
  secretKey,
  startTestSandbox,
} from './testing/sandbox.ts'

// A thousand schemas are compiled here.
vi.setConfig({ testTimeout: 120_000 })

const spec = await openSpec()
const isRequired = process.env.CI === 'true'
const sessions = '/v1/checkout/sessions'

const unchecked = 'The published description needs Go (go mod download): the shape of the sandbox is NOT checked here.'
if (!spec && isRequired) throw new Error(unchecked)
if (!spec) process.stderr.write(`\n${unchecked}\n`)

const specTest = test.runIf(spec)

/** Every kind of payment, refund and dispute. */
async function runAllScenarios(sandbox: Sandbox) {
  const { stripe } = sandbox
  await givenSession(sandbox, { customer_email: 'ada@example.com', locale: 'en' })
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.com', metadata: { a: 'b' } })
  await stripe.customers.update(customer, { email: 'bob@example.com' })
  const remembered = await givenSession(sandbox, {
    customer,
    saved_payment_method_options: { payment_method_save: 'enabled', payment_method_remove: 'enabled' },
  })
  await sandbox.pay(remembered.id)
  await stripe.customers.del((await stripe.customers.create()).id)
  const expired = await givenSession(sandbox)
  await sandbox.pay(expired.id, '4000000000009995')
  await stripe.checkout.sessions.expire(expired.id)
  const authenticated = await givenSession(sandbox)
  await sandbox.pay(authenticated.id, '4000002500003155')
  await sandbox.control(`/sandbox/sessions/${authenticated.id}/authenticate`, { outcome: 'complete' })
  await stripe.paymentIntents.cancel((await givenHold(sandbox)).intentId)
  const partial = await givenHold(sandbox)
  await stripe.paymentIntents.capture(partial.intentId, { amount_to_capture: 500 })
  await stripe.refunds.create({
    payment_intent: partial.intentId,
    reason: 'requested_by_customer',
    metadata: { a: 'b' },
  })
  await givenCapture(sandbox, '4000000000000259')
  await givenCapture(sandbox, '4000000000005423')
  const [disputed] = (await stripe.disputes.list()).data
  await stripe.disputes.update(disputed!.id, { evidence: { product_description: 'A work of art' } })
  for (const card of ['4000000000007726', '4000000000005126']) {
    await stripe.refunds.create({ charge: (await givenCapture(sandbox, card)).chargeId })
  }
  const inquiry = await sandbox.control('/sandbox/disputes', {
    charge: (await givenCapture(sandbox)).chargeId,
    inquiry: true,
  })
  const escalated = await sandbox.control('/sandbox/disputes', {
    charge: (await givenCapture(sandbox)).chargeId,
    amount: 700,
    inquiry: true,
  })
  await sandbox.control(`/sandbox/disputes/${inquiry.id}/close`, { outcome: 'closed' })
  await sandbox.control(`/sandbox/disputes/${escalated.id}/escalate`, {})
  await sandbox.advance(60_000)
  const { intentId } = await givenHold(sandbox)
  await sandbox.control(`/sandbox/payment_intents/${intentId}/lapse`, {})
}

const violationsOf = (objects: { object: string; id: string }[]) =>
  objects.flatMap((stored) => spec!.response(stored.object, stored).map((violation) => `${stored.object} ${violation}`))

const listOf = async (sandbox: Sandbox, path: string) => (await sandbox.raw(`/v1/${path}?limit=100`)).body.data

specTest('every object and every event has exactly the published fields', async () => {
  const sandbox = await startTestSandbox()
  await runAllScenarios(sandbox)

  const paths = [
    'customers',
    'checkout/sessions',
    'payment_intents',
    'charges',
    'refunds',
    'disputes',
    'events',
    'radar/early_fraud_warnings',
  ]
  const lists = await Promise.all(paths.map((path) => listOf(sandbox, path)))
  const [, sessionList, , charges, , , events] = lists

  for (const list of lists) expect(list.length).toBeGreaterThan(0)
  expect(violationsOf(lists.flat())).toEqual([])
  expect(violationsOf(events.map((event: any) => event.data.object))).toEqual([])
  for (const { balance_transaction: id } of charges.filter((charge: any) => charge.captured)) {
    expect(violationsOf([(await sandbox.raw(`/v1/balance_transactions/${id}`)).body])).toEqual([])
  }
  const expandedPath = `${sessions}/${sessionList[0].id}?expand[]=payment_intent.latest_charge&expand[]=line_items`
  expect(violationsOf([(await sandbox.raw(expandedPath)).body])).toEqual([])
})

specTest('every error has the published shape', async () => {
  const sandbox = await startTestSandbox()
  const { intentId } = await givenCapture(sandbox)
  const responses: RawResponse[] = [
    await sandbox.raw(`/v1/payment_intents/${intentId}/capture`, { form: '' }),
    await sandbox.raw('/v1/charges/ch_no'),
    await sandbox.raw('/v1/nothing'),
    await sandbox.raw('/v1/refunds', { form: 'a=%' }),
  ]

  for (const { status, body } of responses) {
    expect(status).toBeGreaterThanOrEqual(400)
    expect(spec!.response('error', body)).toEqual([])
  }
})

const form = [
  'mode=payment&ui_mode=hosted_page&submit_type=pay&locale=en&billing_address_collection=auto&currency=eur',
  'payment_method_types[0]=card&client_reference_id=1&metadata[order]=1&expand[0]=line_items',
  'success_url=http://a.test&cancel_url=http://a.test&custom_text[submit][message]=Hello',
  'payment_intent_data[capture_method]=manual&payment_intent_data[description]=d&payment_intent_data[metadata][a]=b',
  'payment_intent_data[statement_descriptor_suffix]=N1&payment_method_options[card][request_three_d_secure]=any',
  'payment_intent_data[receipt_email]=a@b.test&line_items[0][quantity]=1&line_items[0][price_data][currency]=eur',
  'line_items[0][price_data][unit_amount]=500&line_items[0][price_data][product_data][name]=Dusk',
  'line_items[0][price_data][product_data][description]=d&line_items[0][price_data][product_data][images][0]=http://a.test/x',
  'line_items[0][price_data][product_data][metadata][a]=b',
  'saved_payment_method_options[payment_method_save]=enabled&saved_payment_method_options[payment_method_remove]=enabled',
].join('&')

specTest('every parameter that the sandbox accepts is published', async () => {
  const { url, stripe } = await startTestSandbox()
  const { id: customer } = await stripe.customers.create()
  const timely = `${form}&customer=${customer}&expires_at=${Math.floor(Date.now() / 1000) + 3600}`
  const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': describedVersion }
  const create = async (body: string) =>
    (await fetch(url + sessions, { method: 'POST', headers, body: new URLSearchParams(body) })).status

  expect(await create(timely)).toBe(200)
  expect(spec!.request(sessions, decodeForm(timely))).toEqual([])

  const misspelt = `${timely}&line_items[0][price_data][product_data][nmae]=x`
  expect(await create(misspelt)).toBe(400)
  expect(spec!.request(sessions, decodeForm(misspelt))).not.toEqual([])

  const byAddress = timely.replace(/&saved_\S+&customer=\w+/, '&customer_email=a@b.test')
  expect(await create(byAddress)).toBe(200)
  expect(spec!.request(sessions, decodeForm(byAddress))).toEqual([])

  for (const [path, body] of [
    ['/v1/customers', 'email=a@b.test&name=n&description=d&metadata[a]=b&expand[0]=test_clock'],
    ['/v1/customers/{customer}', 'email=&name=n&metadata[a]=b'],
    ['/v1/refunds', 'charge=c&payment_intent=p&amount=1&reason=duplicate&metadata[a]=b&expand[0]=charge'],
    ['/v1/payment_intents/{intent}/capture', 'amount_to_capture=1&expand[0]=latest_charge'],
    ['/v1/payment_intents/{intent}/cancel', 'cancellation_reason=abandoned&expand[0]=latest_charge'],
    ['/v1/checkout/sessions/{session}/expire', 'expand[0]=line_items'],
    ['/v1/disputes/{dispute}', 'evidence[product_description]=d&evidence[customer_name]=n&submit=true&metadata[a]=b'],
    ['/v1/disputes/{dispute}/close', 'expand[0]=charge'],
  ] as const) {
    expect(spec!.request(path, decodeForm(body))).toEqual([])
  }
})
