import { expect, test } from 'vitest'
import { createHasher, type Hasher } from './password.hash.ts'

/** How many of these calls were refused; any other error fails the test. */
async function refused(calls: Promise<unknown>[]) {
  const reasons = (await Promise.allSettled(calls)).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  for (const reason of reasons) expect(reason).toMatchObject({ statusCode: 429 })
  return reasons.length
}

test.each([
  ['checked', (hasher: Hasher, ip: string) => hasher.verify(undefined, 'a guess', ip)],
  ['hashed', (hasher: Hasher, ip: string) => hasher.hash('a guess', ip)],
])('while one site floods the queue with passwords to be %s, those of others are', async (_how, send) => {
  const hasher = await createHasher({ concurrency: 1 })
  const flood = Array.from({ length: 30 }, (_, index) => send(hasher, `2001:db8:6:${index}::1`))
  const others = ['198.51.100.8', '198.51.100.9', '2001:db8:7::1'].map((ip) => send(hasher, ip))

  // One of the flood runs and twenty wait.
  expect(await Promise.all([refused(flood), refused(others)])).toEqual([30 - 21, 0])
})

test('a hundred passwords wait, of all networks together', async () => {
  const hasher = await createHasher({ concurrency: 1 })
  const calls = Array.from({ length: 105 }, (_, index) => hasher.verify(undefined, 'a guess', `198.51.100.${index}`))
  expect(await refused(calls)).toBe(105 - 101)
})
