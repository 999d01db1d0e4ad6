import { expect, test } from 'vitest'
import { errorOf, givenSession, purchase, secretKey, startTestSandbox } from './testing/sandbox.ts'

test.each([
  ['shoe_size=44', 'shoe_size'],
  ['line_items[0][price_data][product_data][colour]=red', 'line_items[0][price_data][product_data][colour]'],
  ['payment_intent_data[capture_metod]=manual', 'payment_intent_data[capture_metod]'],
])('the unknown parameter %s is refused by its name', async (form, param) => {
  const sandbox = await startTestSandbox()

  const { status, body } = await sandbox.raw('/v1/checkout/sessions', { form })

  expect(status).toBe(400)
  expect(body.error).toMatchObject({ type: 'invalid_request_error', code: 'parameter_unknown', param })
})

test('the parameter that restricts a session to cards depends on the API version', async () => {
  const { url, stripe } = await startTestSandbox()
  const form = (name: string) =>
    `mode=payment&success_url=http://a.test&${name}[0]=card&line_items[0][quantity]=1&line_items[0][price_data][currency]=eur&line_items[0][price_data][unit_amount]=500&line_items[0][price_data][product_data][name]=Dusk`
  const create = async (name: string, version: string) => {
    const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': version }
    const { status } = await fetch(`${url}/v1/checkout/sessions`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form(name)),
    })
    return status
  }
  const [older, ours] = ['2026-08-26.dahlia', stripe.getApiField('version') as string]

  expect(await create('allowed_payment_method_types', ours)).toBe(200)
  expect(await create('payment_method_types', ours)).toBe(400)
  expect(await create('payment_method_types', older)).toBe(200)
  expect(await create('allowed_payment_method_types', older)).toBe(400)
})

test('a session expires after at least 30 minutes and at most 24 hours', async () => {
  const sandbox = await startTestSandbox()
  const now = Math.floor(Date.now() / 1000)

  for (const expires_at of [now + 29 * 60, now + 24 * 3600 + 60]) {
    const error = await errorOf(givenSession(sandbox, { expires_at }))
    expect(error).toMatchObject({ statusCode: 400, param: 'expires_at' })
  }
  expect((await givenSession(sandbox, { expires_at: now + 35 * 60 })).expires_at).toBe(now + 35 * 60)
  expect((await sandbox.control('/sandbox/ledger')).entries).toHaveLength(1)
})

test('a total of less than 50 cents or of more than eight digits is refused', async () => {
  const sandbox = await startTestSandbox()
  const item = (unit_amount: number) => ({
    line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount, product_data: { name: 'Dusk' } } }],
  })

  expect(await errorOf(givenSession(sandbox, item(49)))).toMatchObject({ statusCode: 400, code: 'amount_too_small' })
  expect((await givenSession(sandbox, item(50))).amount_total).toBe(50)
  const tooMuch = errorOf(givenSession(sandbox, item(100_000_000)))
  expect(await tooMuch).toMatchObject({ statusCode: 400, code: 'amount_too_large' })
  expect((await givenSession(sandbox, item(99_999_999))).amount_total).toBe(99_999_999)
})

test('malformed requests return client errors', async () => {
  const sandbox = await startTestSandbox()
  const forms = [
    'a=%',
    'a[b=1',
    'a=1&a[b]=2',
    '__proto__[x]=1',
    'line_items=1',
    'line_items[x]=1',
    'mode=',
    'mode[]=payment',
    'expand=1',
    'line_items[0]=5',
    '[]=1',
    'a[b][c][d][e][f][g][h][i]=1',
    'metadata[a][b]=1',
    'mode=%00',
  ]

  for (const form of forms) {
    expect([form, (await sandbox.raw('/v1/checkout/sessions', { form })).status]).toEqual([form, 400])
  }
  const json = await fetch(`${sandbox.url}/v1/refunds`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'x',
  })
  expect(json.status).toBe(415)
  expect((await errorOf(givenSession(sandbox, { ...purchase(), success_url: 'javascript:alert(1)' }))).code).toBe(
    'url_invalid',
  )
})
