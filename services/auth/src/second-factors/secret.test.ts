import { randomToken, seal, sealStored } from '@nifty/service-kit/base/secrets'
import { countFormer, resealStored } from '@nifty/service-kit/database/stored-secrets'
import { afterAll, expect, test, vi } from 'vitest'
import { givenMember, type Member, startTestAuth } from '../testing/auth.ts'
import { codeOf, givenSecondFactor, letStepsPass } from '../testing/second-factor.ts'
import { totpSecrets } from './secret.ts'

const auth = await startTestAuth({}, afterAll)

const unreadable = { status: 503, body: { success: false, code: 'second_factor_unavailable' } }
const logIn = async ({ email, password }: Member) =>
  (await auth.call('POST', '/api/auth/login', { body: { email, password } })).body
const enter = (challenge: string, code: string) =>
  auth.call('POST', '/api/auth/login/second-factor', { body: { challenge, code } })
/** Metrics are cached for two seconds. */
const untilKeyIsWrong = (value: 0 | 1) =>
  vi.waitUntil(async () => {
    const metrics = await (await fetch(`${auth.service.internalUrl}/metrics`)).text()
    return new RegExp(`^nifty_second_factor_key_wrong(\\{.*\\})? ${value}$`, 'm').test(metrics)
  }, 30_000)

/** As if SECOND_FACTOR_KEY were another one than that of the time when the app was set up. */
async function changeKey({ id }: Member, secret: string) {
  await store(id, sealStored(secret, [randomToken()], id))
}

const store = (accountId: string, secret: string) =>
  auth.db.updateTable('totp').set({ secret }).where('accountId', '=', accountId).execute()
const stored = async (accountId: string) =>
  (await auth.db.selectFrom('totp').select('secret').where('accountId', '=', accountId).executeTakeFirstOrThrow())
    .secret

test('with another SECOND_FACTOR_KEY codes of apps are a 503 and no failed attempts; recovery codes work', async () => {
  const ada = await givenMember(auth)
  const { secret, recoveryCodes } = await givenSecondFactor(auth, ada)
  const { challenge } = await logIn(ada)
  await changeKey(ada, secret)

  for (let time = 0; time < 6; time++) expect(await enter(challenge, codeOf(secret))).toMatchObject(unreadable)
  const proof = { passwordAndCode: { password: ada.password, code: codeOf(secret) } }
  expect(await auth.call('POST', '/api/auth/step-up', { body: proof, token: ada.token })).toMatchObject(unreadable)

  expect(await enter(challenge, recoveryCodes[0]!)).toMatchObject({ status: 200, body: { success: true } })
})

test('an app whose set-up was started with another key is not confirmed, and can be started again', async () => {
  const ada = await givenMember(auth)
  const { token, stepUp } = ada
  const start = async () => (await auth.call('POST', '/api/auth/second-factor', { token, stepUp })).body.secret
  const confirm = (secret: string) =>
    auth.call('POST', '/api/auth/second-factor/confirm', { body: { code: codeOf(secret) }, token, stepUp })
  const secret = await start()
  await changeKey(ada, secret)

  expect(await confirm(secret)).toMatchObject(unreadable)
  expect((await confirm(await start())).status).toBe(200)
})

test('the secret of one account is refused in the row of another', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  await givenSecondFactor(auth, ada)
  const { secret } = await givenSecondFactor(auth, eve)
  await store(ada.id, await stored(eve.id))
  const { challenge } = await logIn(ada)
  expect(await enter(challenge, codeOf(secret))).toMatchObject(unreadable)
})

test('a key is replaced while codes are accepted: both values, the new one first, then it alone', async () => {
  await auth.db.deleteFrom('totp').execute()
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const former = await givenSecondFactor(auth, ada)
  const unbound = await givenSecondFactor(auth, eve)
  await store(eve.id, seal(unbound.secret, auth.config.secondFactorKeys))
  const bothLogIn = async () => {
    const statuses: number[] = []
    for (const [member, { secret }] of [[ada, former] as const, [eve, unbound] as const]) {
      await letStepsPass(auth, member.id)
      statuses.push((await enter((await logIn(member)).challenge, codeOf(secret))).status)
    }
    return statuses
  }
  const next = randomToken()
  const [first] = auth.config.secondFactorKeys

  auth.config.secondFactorKeys = [next, first]
  expect(await bothLogIn()).toEqual([200, 200])
  await resealStored(auth.db, totpSecrets, auth.config.secondFactorKeys)
  expect(await countFormer(auth.db, totpSecrets, [next])).toBe(0)

  auth.config.secondFactorKeys = [next]
  expect(await bothLogIn()).toEqual([200, 200])
})

test('a metric reports whether the key decrypts the oldest and the newest secret', async () => {
  await auth.db.deleteFrom('totp').execute()
  await untilKeyIsWrong(0)
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const { secret } = await givenSecondFactor(auth, ada)
  await givenSecondFactor(auth, eve)
  await untilKeyIsWrong(0)

  await changeKey(ada, secret)

  await untilKeyIsWrong(1)
})
