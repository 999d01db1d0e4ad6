import { expect, test } from 'vitest'
import { keysOf, seal, sealStored, storedPrefix, unseal, unsealStored } from './secrets.ts'

test('a sealed text is readable with its secret only', () => {
  const sealed = seal('a token', ['the secret'])

  expect(unseal(sealed, ['the secret'])).toBe('a token')
  expect(() => unseal(sealed, ['another secret'])).toThrow()
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('a token')
})

test('a changed or cut text is refused, and no two are alike', () => {
  const sealed = seal('a token', ['the secret'])
  const changed = Buffer.from(sealed, 'base64url')
  changed[14]! ^= 1

  expect(() => unseal(changed.toString('base64url'), ['the secret'])).toThrow()
  expect(() => unseal(sealed.slice(0, 20), ['the secret'])).toThrow()
  expect(() => unseal('', ['the secret'])).toThrow()
  expect(seal('a token', ['the secret'])).not.toBe(sealed)
})

test('the first key encrypts, and all decrypt', () => {
  const keys = keysOf('new, former')
  expect(unseal(seal('a token', ['former']), keys)).toBe('a token')
  expect(unseal(seal('a token', keys), ['new'])).toBe('a token')
  expect(unsealStored(sealStored('a secret', ['former'], 'ada'), keys, 'ada')).toBe('a secret')
  expect(sealStored('a secret', keys, 'ada').startsWith(storedPrefix(['new']))).toBe(true)
  expect(() => unsealStored(sealStored('a secret', ['lost'], 'ada'), keys, 'ada')).toThrow('no key')
})

test('a stored text is refused for another owner', () => {
  const stored = sealStored('a secret', ['key'], 'ada')
  expect(unsealStored(stored, ['key'], 'ada')).toBe('a secret')
  expect(() => unsealStored(stored, ['key'], 'eve')).toThrow()
  expect(() => unsealStored(stored.slice(storedPrefix(['key']).length), ['key'], 'ada')).toThrow()
})

test('a stored text of a release without owners is read', () => {
  expect(unsealStored(seal('a secret', ['former']), ['new', 'former'], 'ada')).toBe('a secret')
})
