import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { announced, asOperator, givenMember, type Member, person, startTestAuth } from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const operate = (action: string, body: unknown) =>
  auth.internal<{ userId: string }>('POST', `/internal/ops/${action}`, body)
const latest = async ({ id }: Member) => (await announced(auth.db, 'account-changed', id)).at(-1)
const logIn = ({ email, password }: Member) => auth.call('POST', '/api/auth/login', { body: { email, password } })

test('the operator makes a creator: announced, recorded with name and reason, and older sessions end', async () => {
  const ada = await givenMember(auth)

  expect(await operate('grant-admin', asOperator(ada.email.toUpperCase()))).toEqual({ success: true, userId: ada.id })

  expect(await latest(ada)).toMatchObject({ admin: true, version: 2 })
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).status).toBe(401)
  const { token } = (await logIn(ada)).body
  expect((await auth.call('GET', '/api/auth/user', { token })).body.user.admin).toBe(true)
  const records = auth.db.selectFrom('operatorAction').selectAll().where('accountId', '=', ada.id)
  expect(await records.execute()).toMatchObject([{ action: 'grant_admin', by: 'Olga', why: 'A creator we know' }])

  await operate('revoke-admin', asOperator(ada.email))
  expect(await latest(ada)).toMatchObject({ admin: false, version: 3 })
  expect((await auth.call('GET', '/api/auth/user', { token })).status).toBe(401)
})

test('a suspended account cannot log in or be looked at, and payments is told; it can come back', async () => {
  const ada = await givenMember(auth)
  await operate('suspend-account', asOperator(ada.email))

  expect((await logIn(ada)).status).toBe(401)
  expect(await latest(ada)).toMatchObject({ suspended: true })
  expect(await auth.internal('GET', `/internal/buyers/${ada.id}`)).toMatchObject({ suspended: true })
  expect((await auth.call('GET', `/api/users/profile/${ada.username}`)).status).toBe(404)

  await operate('reinstate-account', asOperator(ada.email))
  expect((await logIn(ada)).status).toBe(200)
  expect(await latest(ada)).toMatchObject({ suspended: false })
})

test('the operator confirms an address by hand', async () => {
  const ada = await givenMember(auth)
  await operate('confirm-email', asOperator(ada.email))
  expect((await auth.call('GET', '/api/auth/user', { token: ada.token })).body.user.emailConfirmed).toBe(true)
})

test('an unknown address, and a command without name or reason, are refused', async () => {
  await expect(operate('grant-admin', asOperator(person().email))).rejects.toMatchObject({ statusCode: 404 })
  const { email } = await givenMember(auth)
  await expect(operate('grant-admin', { email, by: 'Olga' })).rejects.toMatchObject({ statusCode: 400 })
  await expect(operate('grant-admin', { email, by: '', why: 'x' })).rejects.toMatchObject({ statusCode: 400 })
})

test('without the operator the database lets nobody change rights, not even for an account of a former command', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  await operate('grant-admin', asOperator(ada.email))
  const [record] = await auth.db.selectFrom('operatorAction').select('id').where('accountId', '=', ada.id).execute()

  for (const rights of [{ admin: true }, { suspendedAt: new Date() }]) {
    const change = auth.db.transaction().execute(async (trx) => {
      await sql`select set_config('auth.operator_action', ${record!.id}, true)`.execute(trx)
      await trx.updateTable('account').set(rights).where('id', '=', eve.id).execute()
    })
    await expect(change).rejects.toThrow('admin and suspended_at change by an operator only')
  }
  const revoke = auth.db.updateTable('account').set({ admin: false }).where('id', '=', ada.id).execute()
  await expect(revoke).rejects.toThrow('by an operator only')
})

test('internal routes are shut to the public, and to neighbours without the secret', async () => {
  const path = '/internal/ops/grant-admin'
  expect((await auth.call('POST', path, { body: asOperator('a@b.cd') })).status).toBe(404)
  expect((await auth.call('GET', '/internal/sessions')).status).toBe(404)
  for (const open of ['/internal/sessions', `/internal/buyers/${crypto.randomUUID()}`])
    expect((await fetch(`${auth.service.internalUrl}${open}`)).status).toBe(403)
})

test('a buyer is known by wallet and standing; nobody by a malformed id', async () => {
  const ada = await givenMember(auth)
  expect(await auth.internal('GET', `/internal/buyers/${ada.id}`)).toEqual({
    userId: ada.id,
    username: ada.username,
    email: ada.email,
    wallet: null,
    suspended: false,
  })
  await expect(auth.internal('GET', '/internal/buyers/nobody')).rejects.toMatchObject({ statusCode: 400 })
})
