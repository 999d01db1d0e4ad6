import { getWithdrawer } from '@nifty/api/auth/internal'
import { reinstateAccount, suspendAccount, unfreezeAccount } from '@nifty/api/auth/ops'
import { tokenMoved } from '@nifty/events/minting'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { completeDeletion } from '../accounts/account.actions.ts'
import { findDueDeletions } from '../accounts/account.store.ts'
import {
  asOperator,
  confirmAddress,
  expireFreezeLinks,
  givenMember,
  type Member,
  mailedToken,
  person,
  publishedEvents,
  startTestAuth,
} from '../testing/auth.ts'
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

const contract = '0x8a61D08b99ecbAA36dC642d9BA8ef5B02fb5Dc49'
const intoCustody = ({ id }: Member, identifier: string) =>
  auth.service.consume(
    messageOf(tokenMoved, {
      token: `${contract.toLowerCase()}/${identifier}`,
      contract,
      identifier,
      ownerId: id,
      wallet: null,
      position: 1,
      txHash: `0x${'ab'.repeat(32)}`,
      at: new Date().toISOString(),
    }),
  )
const remove = ({ id, ...tokens }: Member, query = '') => auth.call('DELETE', `/api/users/${id}${query}`, tokens)
const deletions = ({ id }: Member) => publishedEvents(auth.db, 'account-deleted', id)

test('a thief who moves the account to another address does not delete it with works in custody', async () => {
  const ada = await givenMember(auth)
  await confirmAddress(auth, ada)
  await intoCustody(ada, '901')
  const thief = await moveTo(ada, person().email)

  const refused = await remove(thief, '?giveUpWorks=true')
  expect(refused).toMatchObject({ status: 409, body: { code: 'withdrawal_waits' } })
  expect(Date.parse(refused.body.details.until)).toBeGreaterThan(Date.now() + 71 * 3_600_000)
  expect(await remove(thief)).toMatchObject({ status: 409, body: { code: 'withdrawal_waits' } })
  await freeze(await freezeTokenOf(ada))
  expect((await resetThrough(ada.email)).status).toBe(200)
  expect((await logIn(ada.email, newPassword)).status).toBe(200)

  await expireFreezeLinks(auth)
  const { body } = await logIn(ada.email, newPassword)
  await expireFreezeLinks(auth)
  expect(await remove({ ...ada, ...body }, '?giveUpWorks=true')).toMatchObject({ body: { code: 'withdrawal_waits' } })
  await sql`update account set withdrawals_wait_since = now() - interval '24 hours' where id = ${ada.id}`.execute(
    auth.db,
  )
  expect((await remove({ ...ada, ...body }, '?giveUpWorks=true')).status).toBe(200)
  expect(await deletions(ada)).toHaveLength(1)
})

test('a thief who deletes the account closes it only: every address with a link is mailed, and the former one undoes it', async () => {
  const ada = await givenMember(auth)
  await confirmAddress(auth, ada)
  const { email } = person()
  const thief = await moveTo(ada, email)
  const former = await freezeTokenOf(ada)
  await sql`delete from freeze_link where email = ${email}`.execute(auth.db)

  const closed = (await remove(thief)).body
  expect(closed).toMatchObject({ success: true, message: 'Account deleted successfully' })
  expect(Date.parse(closed.erasedFrom)).toBeGreaterThan(Date.now() + 71 * 3_600_000)

  expect(await deletions(ada)).toEqual([])
  const mails = await publishedEvents(auth.db, 'deletion-requested', ada.id)
  expect(mails.map((mail) => [mail.email, mail.freezeToken !== null])).toEqual([
    [ada.email, true],
    [email, false],
  ])
  expect((await remove(thief)).status).toBe(401)
  expect((await logIn(email, ada.password)).status).toBe(401)
  expect((await auth.call('GET', `/api/users/profile/${ada.username}`)).status).toBe(404)
  expect(await auth.internal(getWithdrawer, { params: { id: ada.id } })).toMatchObject({ suspended: true })
  expect((await publishedEvents(auth.db, 'account-changed', ada.id)).at(-1)).toMatchObject({ suspended: true })
  await requestReset(email)
  await requestReset(ada.email)
  const waiting = () => auth.db.selectFrom('passwordResetRequest').select('id').execute()
  await vi.waitUntil(async () => (await waiting()).length === 0, 30_000)

  expect((await freeze(former)).status).toBe(200)
  expect((await resetThrough(ada.email)).status).toBe(200)
  const resets = await publishedEvents(auth.db, 'password-reset-requested', ada.id)
  expect(resets.map((mail) => mail.email)).toEqual([ada.email])
  expect((await logIn(ada.email, newPassword)).status).toBe(200)
  expect((await auth.call('GET', `/api/users/profile/${ada.username}`)).status).toBe(200)
})

test('a reset link that was mailed before a deletion was requested ends with the request', async () => {
  const ada = await givenMember(auth)
  const { email } = person()
  const thief = await moveTo(ada, email)
  await requestReset(email)
  const token = await mailedToken(auth.db, 'password-reset-requested', email)
  expect((await remove(thief)).status).toBe(200)
  const reset = await auth.call('POST', '/api/password-reset/reset', { body: { token, newPassword } })
  expect(reset).toMatchObject(invalid)
})

test('the link in the mail of a deletion undoes it, too, and counts as the first mail to its address', async () => {
  const ada = await givenMember(auth)
  const { email } = person()
  const thief = await moveTo(ada, email)
  await linkWallet(thief)
  expect((await remove(thief)).status).toBe(200)
  const links = { owner: await freezeTokenOf(ada), thief: await freezeTokenOf(ada, email) }
  await freeze(links.thief)
  expect((await freeze(links.owner)).status).toBe(200)
  expect((await resetThrough(ada.email)).status).toBe(200)
  expect((await logIn(ada.email, newPassword)).status).toBe(200)
})

test('an operator undoes a deletion for the owner of a former address, which ends what a thief added since', async () => {
  const ada = await givenMember(auth)
  await confirmAddress(auth, ada)
  const { email } = person()
  const thief = await moveTo(ada, email)
  await givenPasskey(auth, thief)
  expect((await remove(thief)).status).toBe(200)

  await auth.internal(unfreezeAccount, { body: asOperator(ada.email) })

  const { status, body } = await logIn(ada.email, ada.password)
  expect(status).toBe(200)
  expect((await auth.call('GET', '/api/auth/passkeys', body)).body.passkeys).toEqual([])
  expect((await publishedEvents(auth.db, 'account-changed', ada.id)).at(-1)).toMatchObject({ suspended: false })
  const actions = await listOperatorActions(auth.db, [ada.id])
  expect(actions.map(({ action }) => action)).toEqual(['unfreeze-account'])
  await expireFreezeLinks(auth)
  expect(await findDueDeletions(auth.db)).not.toContain(ada.id)
})

test.each(['suspended', 'frozen'])('a deletion that waited while its account was %s is a 401', async (how) => {
  const ada = await givenMember(auth)
  await linkWallet(ada)
  const freezing = await freezeTokenOf(ada)
  const lock = await auth.db.startTransaction().execute()
  await lock.selectFrom('account').select('id').where('id', '=', ada.id).forUpdate().execute()
  const blocking = how === 'frozen' ? freeze(freezing) : auth.internal(suspendAccount, { body: asOperator(ada.email) })
  await waitForBlockedQuery(auth.db)
  const deletion = remove(ada)
  await waitForBlockedQuery(auth.db, { count: 2 })
  await lock.commit().execute()
  await blocking

  expect((await deletion).status).toBe(401)
  expect(await publishedEvents(auth.db, 'deletion-requested', ada.id)).toEqual([])
})

test('a closed account is erased when no link is valid any more; the code for works goes to the oldest address', async () => {
  const ada = await givenMember(auth)
  const { email } = person()
  const thief = await moveTo(ada, email)
  await linkWallet(thief)
  expect((await remove(thief)).status).toBe(200)
  // A work that was minted or sent into custody meanwhile.
  await intoCustody(ada, '902')
  const due = () => findDueDeletions(auth.db)
  const complete = () => inTransaction(auth.db, (trx) => completeDeletion(trx, ada.id, auth.config.mailTokenKeys))
  expect(await due()).not.toContain(ada.id)
  expect(await complete()).toBeUndefined()

  await auth.internal(suspendAccount, { body: asOperator(email) })
  await expireFreezeLinks(auth)
  expect(await due()).not.toContain(ada.id)
  expect(await complete()).toBeUndefined()
  await auth.internal(reinstateAccount, { body: asOperator(email) })
  const renamed = { formerName: 'Ada Byron', renamedAt: new Date() }
  await auth.db.updateTable('account').set(renamed).where('id', '=', ada.id).execute()
  expect(await due()).toContain(ada.id)
  expect(await complete()).toEqual({ avatar: null, cover: null })
  expect(await complete()).toBeUndefined()

  expect(await deletions(ada)).toMatchObject([{ email: ada.email, handBack: { codeHash: expect.any(String) } }])
  expect(await due()).not.toContain(ada.id)
  const row = await auth.db.selectFrom('account').selectAll().where('id', '=', ada.id).executeTakeFirst()
  expect(row).toMatchObject({ deletionRequestedAt: null, formerName: null, renamedAt: null })
  const stored = await sql`select * from freeze_link where account_id = ${ada.id}`.execute(auth.db)
  expect(stored.rows).toEqual([])
})
