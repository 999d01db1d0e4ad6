import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { createGate } from '../gate.ts'
import { givenMember, startTestAuth } from '../testing/auth.ts'
import { createHasher } from './password.hash.ts'

test('passwords are kept as argon2id with salt of their own', async () => {
  const hasher = await createHasher()
  const [one, two] = [await hasher.hash('secret'), await hasher.hash('secret')]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
  expect(await hasher.verify(one, 'secret')).toBe(true)
  expect(await hasher.verify(one, 'Secret')).toBe(false)
  expect(await hasher.verify(undefined, 'secret')).toBe(false)
})

test('so many pieces of work run at once, so many wait, and the next is told to come back', async () => {
  const gate = createGate({ atOnce: 4, queue: 100 })
  let running = 0
  let most = 0
  let finish = () => {}
  const held = new Promise<void>((resolve) => {
    finish = resolve
  })
  const work = async () => {
    most = Math.max(most, ++running)
    await held
    running--
  }

  const all = Array.from({ length: 104 }, () => gate(work))
  await expect(gate(work)).rejects.toMatchObject({ statusCode: 429, facts: { headers: { 'retry-after': '1' } } })
  expect(running).toBe(4)
  finish()
  await Promise.all(all)

  expect(most).toBe(4)
  await expect(gate(async () => 'free again')).resolves.toBe('free again')
})

test('work that fails gives its place back', async () => {
  const gate = createGate({ atOnce: 1, queue: 0 })
  await expect(gate(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(gate(async () => 1)).resolves.toBe(1)
})

test('a flood of log-ins gets 429, never 500, and is not held against the account', async () => {
  const auth = await startTestAuth({ rateLimitFactor: 100 })
  const ada = await givenMember(auth)
  const { email, password } = ada

  const logIns = Array.from({ length: 200 }, () => auth.call('POST', '/api/auth/login', { body: { email, password } }))
  const statuses = (await Promise.all(logIns)).map(({ status }) => status)

  expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([])
  expect(statuses).toContain(200)
  expect(statuses.filter((status) => status === 429)).toHaveLength(94)
  expect((await auth.call('POST', '/api/auth/login', { body: { email, password } })).status).toBe(200)
})

test('a hash of former strength is renewed at the next log-in', async () => {
  const auth = await startTestAuth()
  const { id, email, password } = await givenMember(auth)
  const passwordHash = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  await auth.db.updateTable('account').set({ passwordHash }).where('id', '=', id).execute()

  for (let time = 0; time < 2; time++)
    expect((await auth.call('POST', '/api/auth/login', { body: { email, password } })).status).toBe(200)

  const account = auth.db.selectFrom('account').select('passwordHash').where('id', '=', id)
  expect((await account.executeTakeFirstOrThrow()).passwordHash).toContain('m=19456,t=2')
})
