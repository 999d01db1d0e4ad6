import { expect, test } from 'vitest'
import { errorOf, eventTypes, givenSession, type Sandbox, startTestSandbox } from './testing/sandbox.ts'

const goodCard = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', name: 'Ada' }
const remembering = { payment_method_save: 'enabled', payment_method_remove: 'enabled' } as const

const givenPage = ({ stripe }: Sandbox, customer: string, options = remembering as object) =>
  givenSession({ stripe } as Sandbox, { customer, saved_payment_method_options: options })

async function visit({ url }: Sandbox, id: string, form?: Record<string, string>) {
  const response = await fetch(`${url}/pay/${id}`, {
    method: form ? 'POST' : 'GET',
    body: form && new URLSearchParams(form),
    redirect: 'manual',
  })
  return { status: response.status, page: await response.text(), to: response.headers.get('location') }
}

const savedButton = (page: string) => /name="saved" value="(pm_\w+)" type="submit">([^<]+)</.exec(page)

test('a customer is created, changed, listed by its address and deleted with its cards', async () => {
  const sandbox = await startTestSandbox()
  const { customers } = sandbox.stripe
  const { id } = await customers.create({ metadata: { user: '1' } }, { idempotencyKey: 'cus:1' })
  const again = await customers.create({ metadata: { user: '1' } }, { idempotencyKey: 'cus:1' })

  expect(again.id).toBe(id)
  expect(await customers.update(id, { email: 'ada@example.com' })).toMatchObject({
    email: 'ada@example.com',
    metadata: { user: '1' },
  })
  await customers.update(id, { email: 'ada@example.com' })
  expect((await customers.list({ email: 'ada@example.com' })).data).toMatchObject([{ id }])
  expect((await customers.update(id, { email: '' })).email).toBeNull()

  expect(await customers.del(id)).toMatchObject({ id, object: 'customer', deleted: true })
  expect(await customers.retrieve(id)).toMatchObject({ id, deleted: true })
  expect((await customers.list()).data).toEqual([])
  for (const call of [customers.del(id), customers.update(id, { email: 'a@b.test' })])
    expect(await errorOf(call)).toMatchObject({ statusCode: 404, code: 'resource_missing' })
  expect(await eventTypes(sandbox)).toEqual([
    'customer.created',
    'customer.updated',
    'customer.updated',
    'customer.deleted',
  ])
})

test('a card whose box was ticked is paid with by one click next time, until the buyer removes it', async () => {
  const sandbox = await startTestSandbox()
  const { id: customer } = await sandbox.stripe.customers.create({ email: 'ada@example.com' })
  const first = await givenPage(sandbox, customer)

  const empty = await visit(sandbox, first.id)
  expect(empty.page).toMatch(/name="save" value="true" type="checkbox"/)
  expect(empty.page).toMatch(/value="ada@example.com"[^>]*readonly/)
  expect(empty.page).not.toContain('name="saved"')
  expect((await visit(sandbox, first.id, { ...goodCard, save: 'true' })).status).toBe(303)

  const second = await givenPage(sandbox, customer)
  const [, paymentMethod = '', text] = savedButton((await visit(sandbox, second.id)).page)!
  expect(text).toBe('Pay €120.00 with Visa ···· 4242')
  expect((await visit(sandbox, second.id, { saved: paymentMethod })).to).toContain('/purchase-thanks')
  const { data } = await sandbox.stripe.charges.list()
  expect(data.map((charge) => [charge.customer, charge.payment_method, charge.billing_details.name])).toEqual([
    [customer, paymentMethod, 'Ada'],
    [customer, paymentMethod, 'Ada'],
  ])
  const paid = await sandbox.stripe.checkout.sessions.retrieve(second.id)
  expect(paid).toMatchObject({ customer, customer_email: null, customer_details: { email: 'ada@example.com' } })

  const third = await givenPage(sandbox, customer)
  expect((await visit(sandbox, third.id, { remove: paymentMethod })).to).toBe(`/pay/${third.id}`)
  expect((await visit(sandbox, third.id)).page).not.toContain('name="saved"')
  expect((await visit(sandbox, third.id, { saved: paymentMethod })).status).toBe(422)
})

test('a card is not saved without the box, twice, or for another customer', async () => {
  const sandbox = await startTestSandbox()
  const { id: customer } = await sandbox.stripe.customers.create({ email: 'ada@example.com' })
  const { id: other } = await sandbox.stripe.customers.create({ email: 'bob@example.com' })
  const buttons = async (whose: string) =>
    (await visit(sandbox, (await givenPage(sandbox, whose)).id)).page.match(/name="saved"/g)?.length ?? 0

  await visit(sandbox, (await givenPage(sandbox, customer)).id, goodCard)
  expect(await buttons(customer)).toBe(0)
  for (let time = 0; time < 2; time++)
    await visit(sandbox, (await givenPage(sandbox, customer)).id, { ...goodCard, save: 'true' })
  expect([await buttons(customer), await buttons(other)]).toEqual([1, 0])
})

test('a remembered card that asks for authentication asks each time, and is saved once it is authenticated', async () => {
  const sandbox = await startTestSandbox()
  const { id: customer } = await sandbox.stripe.customers.create({ email: 'ada@example.com' })
  const first = await givenPage(sandbox, customer)
  await visit(sandbox, first.id, { ...goodCard, number: '4000002500003155', save: 'true' })
  const waiting = await givenPage(sandbox, customer)
  expect((await visit(sandbox, waiting.id)).page).not.toContain('name="saved"')
  await sandbox.control(`/sandbox/sessions/${first.id}/authenticate`, { outcome: 'complete' })

  const [, paymentMethod = ''] = savedButton((await visit(sandbox, waiting.id)).page)!
  expect((await visit(sandbox, waiting.id, { saved: paymentMethod })).to).toBe(`/pay/${waiting.id}/authenticate`)
})

test('a page has no box without the option, and no button to remove', async () => {
  const sandbox = await startTestSandbox()
  const { id: customer } = await sandbox.stripe.customers.create({ email: 'ada@example.com' })
  await visit(sandbox, (await givenPage(sandbox, customer)).id, { ...goodCard, save: 'true' })

  const { page } = await visit(sandbox, (await givenPage(sandbox, customer, {})).id)
  expect(page).toContain('name="saved"')
  expect(page).not.toMatch(/name="(save|remove)"/)
})

test('the page of a customer without an address stores the typed one', async () => {
  const sandbox = await startTestSandbox()
  const { id: customer } = await sandbox.stripe.customers.create()
  const { id } = await givenPage(sandbox, customer)
  expect((await visit(sandbox, id)).page).not.toMatch(/name="email"[^>]*readonly/)

  await visit(sandbox, id, { ...goodCard, email: 'ada@example.com' })
  expect(await sandbox.stripe.customers.retrieve(customer)).toMatchObject({ email: 'ada@example.com' })
})

test('the open page of a deleted customer cannot be paid, its hold can be captured', async () => {
  const sandbox = await startTestSandbox()
  const { id: customer } = await sandbox.stripe.customers.create({ email: 'ada@example.com' })
  const [held, open] = [await givenPage(sandbox, customer), await givenPage(sandbox, customer)]
  const { session } = await sandbox.pay(held.id)
  await sandbox.stripe.customers.del(customer)

  const { status, page } = await visit(sandbox, open.id, goodCard)
  expect([status, page.includes('href="http://store.test/back"')]).toEqual([400, true])
  expect(await errorOf(sandbox.pay(open.id))).toMatchObject({ status: 400, code: 'resource_missing' })
  expect((await sandbox.stripe.checkout.sessions.retrieve(open.id)).status).toBe('open')
  expect((await sandbox.stripe.paymentIntents.capture(session.payment_intent)).status).toBe('succeeded')
})

test('a session of a customer that does not exist, of two addresses, or with options alone is refused', async () => {
  const sandbox = await startTestSandbox()
  const { id: customer } = await sandbox.stripe.customers.create()
  const errorWith = (changes: object) => errorOf(givenSession(sandbox, changes))

  expect(await errorWith({ customer: 'cus_no' })).toMatchObject({
    statusCode: 400,
    code: 'resource_missing',
    param: 'customer',
  })
  expect(await errorWith({ customer, customer_email: 'a@b.test' })).toMatchObject({ param: 'customer' })
  expect(await errorWith({ saved_payment_method_options: remembering })).toMatchObject({
    param: 'saved_payment_method_options',
  })
})
