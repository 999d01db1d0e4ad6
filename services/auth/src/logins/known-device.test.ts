import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { givenMember, prolongDelays, startTestAuth } from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const strange = '192.0.2.99'

async function givenOwner() {
  const { id, email, password } = await givenMember(auth)
  const device: string = randomUUID()
  const logIn = (given = password, options: object = {}) =>
    auth.call('POST', '/api/auth/login', { body: { email, password: given }, from: strange, ...options })
  const unlock = (options: object) =>
    auth.call('POST', '/api/auth/lockscreen-login', { body: { userId: id, password }, from: strange, ...options })
  const block = async (options: object = {}) => {
    for (let time = 0; time < 6; time++) await logIn(`guess ${time}`, { from: `192.0.2.${time}`, ...options })
    await prolongDelays(auth.db)
  }
  return { id, device, logIn, unlock, block }
}

test('failures from elsewhere do not delay the owner on a device that logged in before', async () => {
  const { device, logIn, unlock, block } = await givenOwner()
  expect((await logIn(undefined, { from: '198.51.100.1', device })).status).toBe(200)
  await block()

  expect((await logIn()).status).toBe(429)
  expect((await logIn(undefined, { device: randomUUID() })).status).toBe(429)
  expect((await logIn(undefined, { device })).status).toBe(200)
  expect((await unlock({ device })).status).toBe(200)
})

test('a device id without the password opens nothing, and its failures are delayed like others', async () => {
  const { device, logIn, block } = await givenOwner()
  await logIn(undefined, { device })
  await block({ device })

  expect((await logIn(undefined, { device })).status).toBe(429)
})

test('a failed log-in makes no device known, and that of one account is not known for another', async () => {
  const [ada, eve] = [await givenOwner(), await givenOwner()]
  await ada.logIn('wrong', { device: ada.device })
  await eve.logIn(undefined, { device: eve.device })
  await ada.block()

  expect((await ada.logIn(undefined, { device: ada.device })).status).toBe(429)
  expect((await ada.logIn(undefined, { device: eve.device })).status).toBe(429)
})

test('only hashes of devices are stored', async () => {
  const { device, logIn } = await givenOwner()
  await logIn(undefined, { device })
  expect(JSON.stringify(await auth.db.selectFrom('knownOrigin').selectAll().execute())).not.toContain(device)
})

test.each(['', 'short', 'x'.repeat(65), 'with spaces in the id, long'])(
  'the device id "%s" is ignored',
  async (device) => {
    const { logIn } = await givenOwner()
    expect((await logIn(undefined, { device })).status).toBe(200)
  },
)
