import { getBuyer, getWithdrawer } from '@nifty/api/auth/internal'
import { unfreezeAccount } from '@nifty/api/auth/ops'
import { withdrawalRequested } from '@nifty/events/minting'
import { messageOf } from '@nifty/service-kit/testing/events'
import { Wallet } from 'ethers'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import {
  asOperator,
  confirmAddress,
  givenMember,
  type Member,
  freezeTokenOf as mailedFreezeToken,
  mailedToken,
  person,
  publishedEvents,
  startTestAuth,
} from '../testing/auth.ts'
import { givenPasskey } from '../testing/authenticator.ts'
import { givenSecondFactor } from '../testing/second-factor.ts'

const auth = await startTestAuth({}, afterAll)
const fresh = 'a brand new secret phrase'
const frozen = { status: 403, body: { code: 'account_frozen' } }
const invalid = { status: 400, body: { code: 'invalid_token' } }

const notices = (member: Member) => publishedEvents(auth.db, 'security-notice-requested', member.id)
const freeze = (token: unknown) => auth.call('POST', '/api/auth/freeze', { body: { token } })
const logIn = (email: string, password: string) => auth.call('POST', '/api/auth/login', { body: { email, password } })
const isLoggedIn = async (token: string) => (await auth.call('GET', '/api/auth/user', { token })).status === 200
const requestReset = (email: string) => auth.call('POST', '/api/password-reset/request', { body: { email } })
const resetThrough = async (email: string) => {
  await requestReset(email)
  const token = await mailedToken(auth.db, 'password-reset-requested', email)
  return auth.call('POST', '/api/password-reset/reset', { body: { token, newPassword: fresh } })
}
const linkWallet = ({ id, ...member }: Member) =>
  auth.call('POST', '/api/wallet/connect-metamask', {
    ...member,
    body: { userId: id, metamaskAddress: Wallet.createRandom().address },
  })

/** The newest freeze token that was mailed to an address. */
const freezeTokenOf = (member: Member, email = member.email) => mailedFreezeToken(auth.db, member, email)

/** What a thief with the password does: another address, confirmed. */
async function moveTo(member: Member, email: string) {
  await auth.call('PUT', `/api/users/${member.id}`, { ...member, body: { email } })
  const token = await mailedToken(auth.db, 'email-confirmation-requested', email)
  await auth.call('POST', '/api/auth/verify-email', { body: { token } })
  const { body } = await logIn(email, member.password)
  return { ...member, email, token: body.token, stepUp: body.stepUp } as Member
}

test('the link of a mail ends all sessions and refuses log-ins; other services get the account as suspended', async () => {
  const ada = await givenMember(auth)
  await linkWallet(ada)
  const token = await freezeTokenOf(ada)
  expect(await isLoggedIn(ada.token)).toBe(true)

  expect((await freeze(token)).body).toMatchObject({ success: true })
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

  const own = await auth.call('GET', '/api/auth/security-events', { token: body.token })
  const found = (wanted: string) => own.body.events.find(({ kind }: { kind: string }) => kind === wanted)

  expect(found('email_confirmed')).toMatchObject({ outcome: 'ok' })
  expect(found('account_frozen')).toMatchObject({ outcome: 'ok' })
  expect(found('operator')).toMatchObject({ outcome: 'ok', address: '' })
  const exported = await auth.call('GET', '/api/auth/export', { token: body.token })
  const events = exported.body.records.filter(({ kind }: { kind: string }) => kind === 'security_event')
  expect(events.find(({ data }: any) => data.kind === 'operator')?.data).toMatchObject({ address: null })
})

test('a reset through the address of the mail ends the freeze', async () => {
  const ada = await givenMember(auth)
  await linkWallet(ada)
  await freeze(await freezeTokenOf(ada))

  expect((await resetThrough(ada.email)).status).toBe(200)

  expect((await logIn(ada.email, fresh)).status).toBe(200)
  expect((await publishedEvents(auth.db, 'account-changed', ada.id)).at(-1)).toMatchObject({ suspended: false })
  expect(await auth.internal(getWithdrawer, { params: { id: ada.id } })).toMatchObject({ suspended: false })
})

test('after a change of address the former one freezes, gets the reset link, and becomes the address again', async () => {
  const ada = await givenMember(auth)
  const { email } = person()
  await moveTo(ada, email)
  const stranger = await auth.call('POST', '/api/auth/signup', { body: person({ email: ada.email }) })
  expect(stranger.body.success).toBe(true)
  expect(await logIn(ada.email, stranger.body.password ?? ada.password)).toMatchObject({ status: 401 })

  await freeze(await freezeTokenOf(ada))
  await requestReset(email)
  expect((await resetThrough(ada.email)).status).toBe(200)

  const resets = await publishedEvents(auth.db, 'password-reset-requested', ada.id)
  expect(resets.map((mail) => mail.email)).toEqual([ada.email])
  expect((await logIn(ada.email, fresh)).status).toBe(200)
  expect((await logIn(email, fresh)).status).toBe(401)
})

test('a thief who freezes and resets through the new address first does not keep the account', async () => {
  const ada = await givenMember(auth)
  const { email } = person()
  const thief = await moveTo(ada, email)
  await linkWallet(thief)
  const links = { owner: await freezeTokenOf(ada), thief: await freezeTokenOf(ada, email) }

  await freeze(links.thief)
  expect((await resetThrough(email)).status).toBe(200)
  await freeze(links.owner)
  expect(await freeze(links.thief)).toMatchObject(invalid)
  expect((await resetThrough(ada.email)).status).toBe(200)
  expect((await logIn(ada.email, fresh)).status).toBe(200)
  expect((await logIn(email, fresh)).status).toBe(401)
})

test('a thief who freezes after the owner does not change through which address a reset ends it', async () => {
  const ada = await givenMember(auth)
  const { email } = person()
  const thief = await moveTo(ada, email)
  await linkWallet(thief)
  const links = { owner: await freezeTokenOf(ada), thief: await freezeTokenOf(ada, email) }

  await freeze(links.owner)
  expect((await freeze(links.thief)).status).toBe(200)
  await requestReset(email)
  expect((await resetThrough(ada.email)).status).toBe(200)

  const resets = await publishedEvents(auth.db, 'password-reset-requested', ada.id)
  expect(resets.map((mail) => mail.email)).toEqual([ada.email])
  expect((await logIn(ada.email, fresh)).status).toBe(200)
})

test('a passkey and a second factor that a thief added before the change whose mail the owner answers end', async () => {
  const ada = await givenMember(auth)
  await confirmAddress(auth, ada)
  await givenPasskey(auth, ada)
  await sql`update freeze_link set created_at = created_at - interval '73 hours',
    expires_at = expires_at - interval '73 hours' where account_id = ${ada.id}`.execute(auth.db)
  await sql`update passkey set created_at = created_at - interval '73 hours' where account_id = ${ada.id}`.execute(
    auth.db,
  )
  await givenPasskey(auth, ada, 'Of the thief')
  await givenSecondFactor(auth, ada)
  await linkWallet(ada)

  await freeze(await freezeTokenOf(ada))
  expect((await resetThrough(ada.email)).status).toBe(200)

  const { body } = await logIn(ada.email, fresh)
  expect(body).toMatchObject({ success: true, token: expect.any(String) })
  const { passkeys } = (await auth.call('GET', '/api/auth/passkeys', { token: body.token })).body
  expect(passkeys.map(({ name }: { name: string }) => name)).toEqual(['Phone'])
})

test('a wallet that a thief linked is unlinked when the owner returns, and one that was linked before any mail stays', async () => {
  const [ada, grace] = [await givenMember(auth), await givenMember(auth)]
  for (const member of [ada, grace]) {
    await confirmAddress(auth, member)
    await linkWallet(member)
  }
  await sql`update freeze_link set created_at = created_at - interval '73 hours',
    expires_at = expires_at - interval '73 hours' where account_id = ${grace.id}`.execute(auth.db)
  await sql`update account set wallet_linked_at = wallet_linked_at - interval '73 hours' where id = ${grace.id}`.execute(
    auth.db,
  )
  await moveTo(grace, person().email)

  for (const member of [ada, grace]) {
    await freeze(await freezeTokenOf(member))
    expect((await resetThrough(member.email)).status).toBe(200)
  }

  const walletOf = async ({ id }: Member) => (await auth.internal(getWithdrawer, { params: { id } })).wallet
  expect(await walletOf(ada)).toBeNull()
  expect(await walletOf(grace)).not.toBeNull()
  expect((await publishedEvents(auth.db, 'account-changed', ada.id)).at(-1)).toMatchObject({ wallet: null })
})

test('with an address that was never confirmed a reset after a freeze ends older passkeys, too', async () => {
  const stranger = await givenMember(auth)
  await givenPasskey(auth, stranger)
  const { db } = auth
  await sql`update account set created_at = created_at - interval '80 hours' where id = ${stranger.id}`.execute(db)
  await sql`update passkey set created_at = created_at - interval '73 hours' where account_id = ${stranger.id}`.execute(
    db,
  )
  await sql`update freeze_link set created_at = created_at - interval '73 hours',
    expires_at = expires_at - interval '73 hours' where account_id = ${stranger.id}`.execute(db)
  await linkWallet(stranger)

  await freeze(await freezeTokenOf(stranger))
  expect((await resetThrough(stranger.email)).status).toBe(200)

  const { token } = (await logIn(stranger.email, fresh)).body
  expect((await auth.call('GET', '/api/auth/passkeys', { token })).body.passkeys).toEqual([])
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

  const body = { token: reset, newPassword: fresh }
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

test('a withdrawal is mailed to the owner, with the wallet and a link that freezes the account', async () => {
  const ada = await givenMember(auth)
  const { address } = Wallet.createRandom()
  const withdrawal = { withdrawalId: crypto.randomUUID(), userId: ada.id, token: `0x${'1'.repeat(40)}/1` }
  await auth.service.consume(
    messageOf(withdrawalRequested, { ...withdrawal, wallet: address, at: new Date().toISOString() }),
  )
  expect(await notices(ada)).toMatchObject([{ what: 'withdrawal_requested', email: ada.email, to: address }])
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
