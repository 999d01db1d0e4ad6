import { sha256 } from '@nifty/service-kit/base/secrets'
import { expect, test } from 'vitest'
import { confirmAddress, givenMember, mailedToken, person, publishedEvents, startTestAuth } from '../testing/auth.ts'

const registered = { success: true, message: 'Registered successfully. Check your email.' }

test('a sign-up with the address of an account, or with its former one, publishes as many events as one with a free address', async () => {
  const auth = await startTestAuth()
  const ada = await givenMember(auth)
  await confirmAddress(auth, ada)
  const [before] = await publishedEvents(auth.db, 'account-changed', ada.id)
  const eventsOfSignUp = async (email: string) => {
    const { length } = await auth.db.selectFrom('outbox').select('name').execute()
    expect((await auth.call('POST', '/api/auth/signup', { body: person({ email }) })).body).toEqual(registered)
    return (await auth.db.selectFrom('outbox').selectAll().orderBy('seq').execute()).slice(length)
  }

  const ofFree = await eventsOfSignUp(person().email)
  const ofKnown = await eventsOfSignUp(ada.email)
  const former = { tokenHash: sha256('freeze'), accountId: ada.id, email: 'ada-before@example.com' }
  await auth.db
    .insertInto('freezeLink')
    .values({ ...former, expiresAt: new Date(Date.now() + 60_000) })
    .execute()
  const ofFormer = await eventsOfSignUp(former.email)

  const names = (events: { name: string }[]) => events.map(({ name }) => name)
  expect(names(ofFree)).toEqual(['auth.account-changed.v1', 'auth.email-confirmation-requested.v1'])
  for (const events of [ofKnown, ofFormer]) {
    expect(names(events)).toEqual(['auth.account-changed.v1', 'auth.sign-up-repeated.v1'])
    const { at: _, ...account } = before!
    expect(events[0]!.data).toMatchObject(account)
  }
  expect(ofKnown[1]!.data).toMatchObject({ email: ada.email })
  expect(ofFormer[1]!.data).toMatchObject({ email: '' })
})

test('an address that a stranger signed up with and gave up, unconfirmed, is free for its owner', async () => {
  const auth = await startTestAuth()
  const stranger = await givenMember(auth)
  const { email } = person()
  await auth.call('PUT', `/api/users/${stranger.id}`, {
    body: { email },
    token: stranger.token,
    stepUp: stranger.stepUp,
  })
  const link = await mailedToken(auth.db, 'email-confirmation-requested', email)
  expect(await auth.call('POST', '/api/auth/verify-email', { body: { token: link } })).toMatchObject({ status: 200 })

  await auth.call('POST', '/api/auth/signup', { body: person({ email: stranger.email }) })
  const token = await mailedToken(auth.db, 'email-confirmation-requested', stranger.email)
  expect(await auth.call('POST', '/api/auth/verify-email', { body: { token } })).toMatchObject({ status: 200 })
})
