import { getWithdrawer } from '@nifty/api/auth/internal'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { confirmAddress, givenMember, type Member, person, publishedEvents, startTestAuth } from '../testing/auth.ts'
import { givenPasskey } from '../testing/authenticator.ts'
import { freezingIn, newPassword } from '../testing/freezing.ts'
import { givenSecondFactor } from '../testing/second-factor.ts'

const auth = await startTestAuth({}, afterAll)
const { freeze, freezeTokenOf, linkWallet, logIn, moveTo, requestReset, resetThrough } = freezingIn(auth)
const invalid = { status: 400, body: { code: 'invalid_token' } }

test('after a change of address the former one freezes, gets the reset link, and becomes the address again', async () => {
  const ada = await givenMember(auth)
  await confirmAddress(auth, ada)
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
  expect((await logIn(ada.email, newPassword)).status).toBe(200)
  expect((await logIn(email, newPassword)).status).toBe(401)
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
  expect((await logIn(ada.email, newPassword)).status).toBe(200)
  expect((await logIn(email, newPassword)).status).toBe(401)
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
  expect((await logIn(ada.email, newPassword)).status).toBe(200)
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

  const { body } = await logIn(ada.email, newPassword)
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

  const { token } = (await logIn(stranger.email, newPassword)).body
  expect((await auth.call('GET', '/api/auth/passkeys', { token })).body.passkeys).toEqual([])
})
