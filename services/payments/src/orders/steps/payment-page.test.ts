import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { startTestPayments } from '../../testing/payments.ts'
import { cartOf, deliver, givenOpenOrder, lines, start, waitForLines } from '../../testing/sale.ts'

const payments = await startTestPayments({ env: { THREE_D_SECURE_FROM: '50' } })
const { peers, sandbox, db, config } = payments
const { hostname, port } = new URL(sandbox.url)
const stripe = new Stripe(config.processor.secretKey, { protocol: 'http', host: hostname, port })

const sessionOf = (url: string) => stripe.checkout.sessions.retrieve(url.split('/').at(-1)!)
const pageOf = async (url: string) =>
  (await fetch(url, { headers: { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' } })).text()
const press = (url: string, wallet: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ wallet }), redirect: 'manual' })

test('the payment page has the buyer’s e-mail address and language, the work’s name and picture, and the wallets of phones', async () => {
  const item = peers.givenItem()
  const { url, buyer } = await givenOpenOrder(payments, { items: [item] })
  const { email } = peers.accounts.get(buyer.userId)!

  const session = await sessionOf(url)
  expect(session).toMatchObject({ customer_details: { email }, locale: 'auto', allowed_payment_method_types: ['card'] })
  expect(session).toMatchObject({ automatic_tax: { enabled: false }, wallet_options: null })

  const page = await pageOf(url)
  expect(page).toContain(`value="${email}"`)
  expect(page).toContain(`src="${new URL(item.image, config.publicUrl).href}?w=960"`)
  expect(page).toContain(`<strong>${item.name}</strong>`)
  expect(page).toContain('Austrian German')
  expect(page).toMatch(/value="apple_pay"[\s\S]*value="google_pay"/)
})

test.each(['apple_pay', 'google_pay'])('a payment with %s is a hold like one by card', async (wallet) => {
  const { url, orderId } = await givenOpenOrder(payments)

  expect((await press(url, wallet)).status).toBe(303)

  await waitForLines(payments, orderId, 'authorised')
  const { payment_intent } = await sessionOf(url)
  const intent = await stripe.paymentIntents.retrieve(payment_intent as string, { expand: ['latest_charge'] })
  expect(intent).toMatchObject({ status: 'requires_capture', capture_method: 'manual', amount_received: 0 })
  const { payment_method_details } = intent.latest_charge as Stripe.Charge
  expect(payment_method_details!.card!.wallet).toMatchObject({ type: wallet })
})

test('the store keeps no e-mail address of a buyer once the page is open', async () => {
  const { orderId, buyer } = await givenOpenOrder(payments)
  const order = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  expect(JSON.stringify(order)).not.toContain(peers.accounts.get(buyer.userId)!.email)
  expect(order.sessionRequest).toMatchObject({ client_reference_id: orderId })
})

test('a new account is asked for 3-D Secure at any price; the processor reads its age and the works that it bought', async () => {
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const [young, old] = [peers.givenBuyer({ createdAt: at(6.5) }), peers.givenBuyer({ createdAt: at(30.5) })]
  const buy = async (buyer: typeof old, priceCents = 4_999) => {
    const { url, orderId } = (await start(payments, buyer, cartOf(peers.givenItem({ priceCents })))).json()
    await sandbox.pay(url)
    await waitForLines(payments, orderId, 'authorised')
    const { payment_intent, payment_method_options } = await sessionOf(url)
    const { metadata } = await stripe.paymentIntents.retrieve(payment_intent as string)
    return { orderId, metadata, asked: payment_method_options?.card?.request_three_d_secure }
  }

  const first = await buy(old)
  await deliver(payments, (await lines(payments, first.orderId))[0]!)
  await waitForLines(payments, first.orderId, 'completed')

  expect(first).toMatchObject({ asked: 'automatic', metadata: { account_days: '30', works_bought: '0' } })
  expect(await buy(old)).toMatchObject({ asked: 'automatic', metadata: { works_bought: '1' } })
  expect(await buy(old, 5_000)).toMatchObject({ asked: 'any' })
  expect(await buy(young)).toMatchObject({ asked: 'any', metadata: { account_days: '6', works_bought: '0' } })
})
