import { getBuyer, getWithdrawer } from '@nifty/api/auth/internal'
import { unfreezeAccount } from '@nifty/api/auth/ops'
import { unusualPriceListed } from '@nifty/events/catalog'
import { withdrawalRequested } from '@nifty/events/minting'
import { messageOf } from '@nifty/service-kit/testing/events'
import { Wallet } from 'ethers'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import {
  asOperator,
  givenMember,
  type Member,
  mailedToken,
  person,
  publishedEvents,
  startTestAuth,
} from '../testing/auth.ts'
import { freezingIn, newPassword } from '../testing/freezing.ts'

const auth = await startTestAuth({}, afterAll)
const { freeze, freezeTokenOf, linkWallet, logIn, moveTo, requestReset, resetThrough } = freezingIn(auth)
const frozen = { status: 403, body: { code: 'account_frozen' } }
const invalid = { status: 400, body: { code: 'invalid_token' } }

const notices = (member: Member) => publishedEvents(auth.db, 'security-notice-requested', member.id)
const isLoggedIn = async (token: string) => (await auth.call('GET', '/api/auth/user', { token })).status === 200

test('the link of a mail ends all sessions and refuses log-ins; other services get the account as suspended', async () => {
  const ada = await givenMember(auth)
  await linkWallet(ada)
  const token = await freezeTokenOf(ada)
  expect(await isLoggedIn(ada.token)).toBe(true)

  expect((await freeze(token)).body).toMatchObject({ success: true, bidLeads: false })
  expect((await freeze(token)).status).toBe(200)

  expect(await isLoggedIn(ada.token)).toBe(false)
  expect(await logIn(ada.email, ada.password)).toMatchObject(frozen)
  const { password } = ada
  const locked = await auth.call('POST', '/api/auth/lockscreen-login', { body: { userId: ada.id, password } })
  expect(locked).toMatchObject(frozen)
  expect(await logIn(ada.email, 'not the password')).toMatchObject({ status: 401 })
  expect((await publishedEvents(auth.db, 'account-changed', ada.id)).at(-1)).toMatchObject({ suspended: true })
  const params = { id: ada.id }
  expect(await auth.internal(getBuyer, { params })).toMatchObject({ suspended: true })
  expect(await auth.internal(getWithdrawer, { params })).toMatchObject({ suspended: true })
})

test('the history of an account has its new address, its freeze, and that an operator ended it, without the operator’s address', async () => {
  const ada = await givenMember(auth)
  const moved = await moveTo(ada, person().email)
  await freeze(await freezeTokenOf(ada))
  await auth.internal(unfreezeAccount, { body: asOperator(ada.email) })
  const { body } = await logIn(ada.email, moved.password)

  const own = await auth.call('GET', '/api/auth/security-events', body)
  const found = (wanted: string) => own.body.events.find(({ kind }: { kind: string }) => kind === wanted)

  expect(found('email_confirmed')).toMatchObject({ outcome: 'ok' })
  expect(found('account_frozen')).toMatchObject({ outcome: 'ok' })
  expect(found('operator')).toMatchObject({ outcome: 'ok', address: '' })
  const exported = await auth.call('GET', '/api/auth/export', body)
  const events = exported.body.records.filter(({ kind }: { kind: string }) => kind === 'security_event')
  expect(events.find(({ data }: any) => data.kind === 'operator')?.data).toMatchObject({ address: null })
})

test('a reset through the address of the mail ends the freeze', async () => {
  const ada = await givenMember(auth)
  await linkWallet(ada)
  await freeze(await freezeTokenOf(ada))

  expect((await resetThrough(ada.email)).status).toBe(200)

  expect((await logIn(ada.email, newPassword)).status).toBe(200)
  expect((await publishedEvents(auth.db, 'account-changed', ada.id)).at(-1)).toMatchObject({ suspended: false })
  expect(await auth.internal(getWithdrawer, { params: { id: ada.id } })).toMatchObject({ suspended: false })
})

test('a link that is unknown, malformed or older than 72 hours freezes nothing', async () => {
  const ada = await givenMember(auth)
  await linkWallet(ada)
  await sql`update freeze_link set expires_at = expires_at - interval '72 hours' where account_id = ${ada.id}`.execute(
    auth.db,
  )
  expect(await freeze(await freezeTokenOf(ada))).toMatchObject(invalid)
  expect(await freeze('x')).toMatchObject(invalid)
  expect((await freeze(['x'])).status).toBe(400)
  expect(await isLoggedIn(ada.token)).toBe(true)
})

test('a freeze revokes a mailed reset link and a requested change of address', async () => {
  const ada = await givenMember(auth)
  const { email } = person()
  await linkWallet(ada)
  await auth.call('PUT', `/api/users/${ada.id}`, { ...ada, body: { email } })
  await requestReset(ada.email)
  const reset = await mailedToken(auth.db, 'password-reset-requested', ada.email)
  const change = await mailedToken(auth.db, 'email-confirmation-requested', email)

  await freeze(await freezeTokenOf(ada))

  const body = { token: reset, newPassword }
  expect(await auth.call('POST', '/api/password-reset/reset', { body })).toMatchObject(invalid)
  expect(await auth.call('POST', '/api/auth/verify-email', { body: { token: change } })).toMatchObject(invalid)
  expect(await logIn(ada.email, ada.password)).toMatchObject(frozen)
})

test('an operator ends the freeze for the owner of the former address', async () => {
  const ada = await givenMember(auth)
  const { email } = person()
  await moveTo(ada, email)
  await expect(auth.internal(unfreezeAccount, { body: asOperator(email) })).rejects.toMatchObject({
    code: 'not_frozen',
  })
  await freeze(await freezeTokenOf(ada))

  await auth.internal(unfreezeAccount, { body: asOperator(ada.email) })

  expect((await logIn(ada.email, ada.password)).status).toBe(200)
  expect((await logIn(email, ada.password)).status).toBe(401)
})

test('an unusually low price is mailed to the owner at once, with a link that freezes the account', async () => {
  const ada = await givenMember(auth)
  const listing = { itemId: crypto.randomUUID(), name: 'Dusk', priceCents: 50, formerCents: 85_000 }
  const at = new Date().toISOString()
  for (const userId of [ada.id, crypto.randomUUID()])
    await auth.service.consume(messageOf(unusualPriceListed, { ...listing, userId, at }))
  const warnings = await publishedEvents(auth.db, 'unusual-price-noticed', ada.id)
  expect(warnings).toMatchObject([{ email: ada.email, name: 'Dusk', priceCents: 50, formerCents: 85_000 }])
  expect((await freeze(await freezeTokenOf(ada))).status).toBe(200)
})

test('a withdrawal is mailed to the owner, with the wallet and a link that freezes the account', async () => {
  const ada = await givenMember(auth)
  const { address } = Wallet.createRandom()
  const withdrawal = { withdrawalId: crypto.randomUUID(), userId: ada.id, token: `0x${'1'.repeat(40)}/1` }
  await auth.service.consume(
    messageOf(withdrawalRequested, { ...withdrawal, name: 'Dusk', wallet: address, at: new Date().toISOString() }),
  )
  expect(await notices(ada)).toMatchObject([
    { what: 'withdrawal_requested', email: ada.email, to: address, work: 'Dusk' },
  ])
  expect((await freeze(await freezeTokenOf(ada))).status).toBe(200)
})

test('the database keeps hashes of the links only, and the event the token encrypted', async () => {
  const ada = await givenMember(auth)
  await linkWallet(ada)
  const kept = await auth.db.selectFrom('freezeLink').selectAll().where('accountId', '=', ada.id).execute()
  expect(kept).toHaveLength(1)
  const token = await freezeTokenOf(ada)
  expect((await freeze(token)).status).toBe(200)
  const published = await auth.db.selectFrom('outbox').selectAll().where('key', '=', ada.id).execute()
  expect(JSON.stringify([kept, published])).not.toContain(token)
})
