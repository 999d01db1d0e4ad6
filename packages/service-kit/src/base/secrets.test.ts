import { expect, test } from 'vitest'
import { seal, unseal } from './secrets.ts'

test('a sealed text is readable with its secret only', () => {
  const sealed = seal('a token', 'the secret')

  expect(unseal(sealed, 'the secret')).toBe('a token')
  expect(() => unseal(sealed, 'another secret')).toThrow()
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('a token')
})

test('a changed or cut text is refused, and no two are alike', () => {
  const sealed = seal('a token', 'the secret')
  const changed = Buffer.from(sealed, 'base64url')
  changed[14]! ^= 1

  expect(() => unseal(changed.toString('base64url'), 'the secret')).toThrow()
  expect(() => unseal(sealed.slice(0, 20), 'the secret')).toThrow()
  expect(() => unseal('', 'the secret')).toThrow()
  expect(seal('a token', 'the secret')).not.toBe(sealed)
})
