import { expect, test } from 'vitest'
import list from './common-passwords.json' with { type: 'json' }
import { isCommonPassword } from './common-passwords.ts'

test('the recorded list has 10,000 passwords, sorted, none twice', () => {
  const hashes = list.hashes.match(/.{8}/g) ?? []

  expect(new Set(hashes).size).toBe(10_000)
  expect(hashes).toEqual(hashes.toSorted())
})

const fromPublicLists = `
  swordfish metallica snickers startrek mypassword barcelona terminator aa123456 qq123456 123456789a q1w2e3r4t5y6
  1qaz2wsx3edc 1q2w3e4r5t6y trustno1 thunderbird mountain valentina airborne scorpion blackjack cardinal cocacola
  dolphins drowssap firebird gateway1 gladiator goldfish greenday hercules highland infinity intrepid jessica1
  kawasaki lacrosse letmein1 magnolia manchester marlboro maverick megadeth millions moonlight nirvana1 nothing1
  paradise patriots pavilion penguins platinum predator rammstein raistlin redskins rocknroll semperfi
  showtime stargate stingray sunflower sweetheart thailand undertaker universe vladimir warcraft webmaster wolverine`
  .trim()
  .split(/\s+/)

test.each(fromPublicLists)('%s is a common password, in lower and in upper case', (password) => {
  expect(isCommonPassword(password)).toBe(true)
  expect(isCommonPassword(password.toUpperCase())).toBe(true)
})

test.each([
  'password',
  'Passw0rd',
  'P@ssw0rd!',
  'password2024',
  '12345678',
  '87654321',
  'qwertyuiop',
  'qwerty123456',
  'abcdefgh',
  'abcd1234',
  'aaaaaaaa',
  'abcabcabc',
  'iloveyou1',
  'Dragon2024!',
  'sunshine',
  '1password1',
  'letmein!!!',
  'passwordpassword',
  'nifty2026',
])('%s is a common password', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

test.each(['correct horse battery staple', 'k8!xWq2p', 'dragonfly on a leaf', 'Tr0ub4dor&3x', 'monkeys-eat-19-figs'])(
  '%s is no common password',
  (password) => {
    expect(isCommonPassword(password)).toBe(false)
  },
)
