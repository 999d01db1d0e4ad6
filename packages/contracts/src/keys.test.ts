import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyOf, uuidOf } from './keys.ts'

test('a uuid converts to a 32-byte key and back', () => {
  const uuid = randomUUID()
  expect(keyOf(uuid)).toMatch(/^0x[0-9a-f]{64}$/)
  expect(uuidOf(keyOf(uuid))).toBe(uuid)
  expect(keyOf(uuid.toUpperCase())).toBe(keyOf(uuid))
})

test('an invalid uuid has no key, and a foreign key has no uuid', () => {
  for (const nonsense of ['', 'abc', '0x', `${randomUUID()}0`]) expect(() => keyOf(nonsense)).toThrow('Not a uuid')
  expect(uuidOf(`0x${'ab'.repeat(32)}`)).toBeUndefined()
})
