import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyOf, uuidOf } from './keys.ts'

test('a uuid becomes a key of 32 bytes and comes back', () => {
  const uuid = randomUUID()
  expect(keyOf(uuid)).toMatch(/^0x[0-9a-f]{64}$/)
  expect(uuidOf(keyOf(uuid))).toBe(uuid)
  expect(keyOf(uuid.toUpperCase())).toBe(keyOf(uuid))
})

test('what is no uuid makes no key, and a foreign key no uuid', () => {
  for (const nonsense of ['', 'abc', '0x', `${randomUUID()}0`]) expect(() => keyOf(nonsense)).toThrow('Not a uuid')
  expect(uuidOf(`0x${'ab'.repeat(32)}`)).toBeUndefined()
})
