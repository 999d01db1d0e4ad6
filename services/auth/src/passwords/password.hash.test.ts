import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { limitsOf } from '../quotas/limits.ts'
import { givenMember, startTestAuth } from '../testing/auth.ts'
import { createHasher } from './password.hash.ts'

test('passwords are stored as argon2id with a random salt', async () => {
  const hasher = await createHasher()
  const ip = '203.0.113.1'
  const [one, two] = [await hasher.hash('secret', ip), await hasher.hash('secret', ip)]
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
  expect(await hasher.verify(one, 'secret', ip)).toBe(true)
  expect(await hasher.verify(one, 'Secret', ip)).toBe(false)
  expect(await hasher.verify(undefined, 'secret', ip)).toBe(false)
})

test('a password is one in both ways to compose its letters, also one that was stored as typed before', async () => {
  const hasher = createHasher()
  const ip = '203.0.113.1'
  const [composed, decomposed] = ['crème brûlée', 'crème brûlée'.normalize('NFD')]
  const stored = await hasher.hash(decomposed, ip)
  expect(await hasher.verify(stored, composed, ip)).toBe(true)
  expect(await hasher.verify(stored, decomposed, ip)).toBe(true)
  expect(await hasher.verify(stored, 'creme brulee', ip)).toBe(false)
  const asTyped = await hash(decomposed, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  expect(await hasher.verify(asTyped, decomposed, ip)).toBe(true)
  expect(await hasher.verify(undefined, decomposed, ip)).toBe(false)
})

test('log-ins beyond the queue are a 429, not a 500, and are not counted as failures', async () => {
  const auth = await startTestAuth({ limits: limitsOf(100) })
  const ada = await givenMember(auth)
  const { email, password } = ada

  // From as many sites, of which each has a share of the queue.
  const logIns = Array.from({ length: 200 }, (_, index) =>
    auth.call('POST', '/api/auth/login', { body: { email, password }, from: `2001:db8:${index}::1` }),
  )
  const statuses = (await Promise.all(logIns)).map(({ status }) => status)

  expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([])
  expect(statuses).toContain(200)
  expect(statuses.filter((status) => status === 429)).toHaveLength(94)
  expect((await auth.call('POST', '/api/auth/login', { body: { email, password } })).status).toBe(200)
})

test('a hash with outdated parameters is replaced at the next log-in', async () => {
  const auth = await startTestAuth()
  const { id, email, password } = await givenMember(auth)
  const passwordHash = await hash(password, { memoryCost: 8192, timeCost: 1, parallelism: 1 })
  await auth.db.updateTable('account').set({ passwordHash }).where('id', '=', id).execute()

  for (let time = 0; time < 2; time++)
    expect((await auth.call('POST', '/api/auth/login', { body: { email, password } })).status).toBe(200)

  const account = auth.db.selectFrom('account').select('passwordHash').where('id', '=', id)
  expect((await account.executeTakeFirstOrThrow()).passwordHash).toContain('m=19456,t=2')
})
