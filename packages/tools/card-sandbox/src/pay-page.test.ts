import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { givenHold, givenSession, type Sandbox, startTestSandbox } from './testing/sandbox.ts'

const goodCard = { email: 'ada@example.com', number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', name: 'Ada' }

const picture: Stripe.Checkout.SessionCreateParams = {
  line_items: [
    {
      quantity: 1,
      price_data: {
        currency: 'eur',
        unit_amount: 123_450,
        product_data: { name: '<b>Dusk</b>', images: ['http://pictures.test/dusk.webp'] },
      },
    },
  ],
}

/** The response that a browser receives, without following redirects. */
async function visit({ url }: Sandbox, path: string, form?: Record<string, string>) {
  const response = await fetch(url + path, {
    method: form ? 'POST' : 'GET',
    body: form && new URLSearchParams(form),
    redirect: 'manual',
  })
  const { status, headers } = response
  return {
    status,
    page: await response.text(),
    to: headers.get('location'),
    policy: headers.get('content-security-policy'),
  }
}

test('the page shows item, price and a link back, and has no script', async () => {
  const sandbox = await startTestSandbox()
  const { id } = await givenSession(sandbox, { ...picture, customer_email: 'ada@example.com' })

  const { status, page, policy } = await visit(sandbox, `/pay/${id}`)

  expect(status).toBe(200)
  expect(page).toContain('&lt;b&gt;Dusk&lt;/b&gt;')
  expect(page).toContain('€1,234.50')
  expect(page).toContain('src="http://pictures.test/dusk.webp"')
  expect(page).toContain('href="http://store.test/back"')
  expect(page).toContain('value="ada@example.com"')
  for (const label of ['Email', 'Card number', 'Expiry', 'CVC', 'Name on card']) {
    expect(page).toMatch(new RegExp(`<label for="(\\w+)">${label}</label>\\s*<input id="\\1"`))
  }
  expect(page).not.toContain('<script')
  expect(page).not.toContain('style="')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("form-action 'self' http://store.test")
  expect(policy).toContain("img-src 'self' http://pictures.test")
})

test('paying redirects to the shop with the session id; a second submit pays nothing more', async () => {
  const sandbox = await startTestSandbox()
  const { id } = await givenSession(sandbox)

  const first = await visit(sandbox, `/pay/${id}`, goodCard)
  const second = await visit(sandbox, `/pay/${id}`, goodCard)

  expect([first.status, first.to]).toEqual([303, `http://store.test/purchase-thanks?session=${id}`])
  expect([second.status, second.to]).toEqual([303, first.to])
  expect((await sandbox.control('/sandbox/ledger')).totals.held).toBe(12_000)
  const { customer_details } = await sandbox.stripe.checkout.sessions.retrieve(id)
  expect(customer_details).toMatchObject({ email: 'ada@example.com', name: 'Ada' })
})

test.each(['apple_pay', 'google_pay'])(
  'the button of %s pays with the wallet’s card and the shop’s e-mail address',
  async (wallet) => {
    const sandbox = await startTestSandbox()
    const { id } = await givenSession(sandbox, { locale: 'de', customer_email: 'ada@example.com' })

    expect((await visit(sandbox, `/pay/${id}`)).page).toMatch(
      new RegExp(`value="${wallet}"[\\s\\S]*your language: German`),
    )
    expect((await visit(sandbox, `/pay/${id}`, { wallet })).status).toBe(303)

    const { customer_details, payment_intent } = await sandbox.stripe.checkout.sessions.retrieve(id)
    expect(customer_details).toMatchObject({ email: 'ada@example.com' })
    const { data } = await sandbox.stripe.charges.list({ payment_intent: payment_intent as string })
    expect(data[0]!.payment_method_details!.card!.wallet).toMatchObject({ type: wallet, [wallet]: {} })
  },
)

test('a declined card is reported on the same page, and another one is accepted', async () => {
  const sandbox = await startTestSandbox()
  const { id } = await givenSession(sandbox)

  const declined = await visit(sandbox, `/pay/${id}`, { ...goodCard, number: '4000 0000 0000 0002' })

  expect(declined.status).toBe(402)
  expect(declined.page).toMatch(/role="alert"[\s\S]*Your card was declined/)
  expect(declined.page).toContain('value="ada@example.com"')
  expect(declined.page).not.toContain('4000 0000 0000 0002"')
  expect((await visit(sandbox, `/pay/${id}`)).page).toContain('Your card was declined')
  expect((await visit(sandbox, `/pay/${id}`, goodCard)).status).toBe(303)
})

test.each([
  ['email', 'nobody', 'email address'],
  ['number', '4242 4242 4242 4241', 'number is not valid'],
  ['expiry', '12 / 20', 'in the past'],
  ['expiry', '13 / 34', 'month and year'],
  ['expiry', '134', 'month and year'],
  ['expiry', '1334', 'month and year'],
  ['cvc', '12', 'security code'],
  ['name', ' ', 'name that is on the card'],
])('an invalid %s (%s) is reported beside its field, without an attempt to pay', async (field, value, hint) => {
  const sandbox = await startTestSandbox()
  const { id } = await givenSession(sandbox)

  const { status, page } = await visit(sandbox, `/pay/${id}`, { ...goodCard, [field]: value })

  expect(status).toBe(422)
  expect(page).toMatch(new RegExp(`id="${field}-problem">[^<]*${hint}`))
  expect((await sandbox.stripe.checkout.sessions.retrieve(id)).payment_intent).toBeNull()
})

test.each(['1 / 34', '12/34', '12-34', '12 / 2034', '1234', '122034'])(
  'the expiry %s is read as month and year',
  async (expiry) => {
    const sandbox = await startTestSandbox()
    const { id } = await givenSession(sandbox)
    expect((await visit(sandbox, `/pay/${id}`, { ...goodCard, expiry })).status).toBe(303)
  },
)

test('with authentication, completing pays and failing returns to the form', async () => {
  const sandbox = await startTestSandbox()
  const [good, bad] = [await givenSession(sandbox), await givenSession(sandbox)]
  const card = { ...goodCard, number: '4000002500003155' }

  for (const { id } of [good, bad]) {
    expect((await visit(sandbox, `/pay/${id}`, card)).to).toBe(`/pay/${id}/authenticate`)
  }
  const waiting = await visit(sandbox, `/pay/${good.id}/authenticate`)
  expect(waiting.page).toMatch(/value="complete"[\s\S]*value="fail"/)
  const complete = await visit(sandbox, `/pay/${good.id}/authenticate`, { outcome: 'complete' })
  const fail = await visit(sandbox, `/pay/${bad.id}/authenticate`, { outcome: 'fail' })

  expect(complete.to).toBe(`http://store.test/purchase-thanks?session=${good.id}`)
  expect(fail.to).toBe(`/pay/${bad.id}`)
  expect((await visit(sandbox, fail.to!)).page).toContain('unable to authenticate')
})

test('the page of a paid or expired session links back to the shop', async () => {
  const sandbox = await startTestSandbox()
  const [paid, expired] = [await givenHold(sandbox), await givenSession(sandbox)]
  await sandbox.stripe.checkout.sessions.expire(expired.id)

  const done = await visit(sandbox, `/pay/${paid.sessionId}`)
  const late = await visit(sandbox, `/pay/${expired.id}`, goodCard)
  const none = await visit(sandbox, '/pay/cs_test_no')

  expect(done.page).toContain(`href="http://store.test/purchase-thanks?session=${paid.sessionId}"`)
  expect(late.page).toMatch(/expired[\s\S]*href="http:\/\/store.test\/back"/)
  expect([done.status, late.status, none.status]).toEqual([200, 200, 404])
})

test('a listed test card fills the form', async () => {
  const sandbox = await startTestSandbox()
  const { id } = await givenSession(sandbox)

  const { page } = await visit(sandbox, `/pay/${id}?card=4000000000009995`)

  expect(page).toMatch(/name="number" value="4000 0000 0000 9995"/)
  expect((await visit(sandbox, '/pay/checkout.css')).status).toBe(200)
})

test('every page has an icon, so that browsers request nothing that is missing', async () => {
  const sandbox = await startTestSandbox()
  const { id } = await givenSession(sandbox)

  const { page } = await visit(sandbox, `/pay/${id}`)
  const [, icon = ''] = /<link rel="icon" href="([^"]+)"/.exec(page)!
  // Chromium requests /favicon.ico by itself for a document that names no icon.
  for (const path of [icon, '/favicon.ico']) {
    const response = await fetch(sandbox.url + path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect(await response.text()).toMatch(/^<svg/)
  }
})
