import { expect, test } from 'vitest'
import { normalizeCode } from './recovery-code.ts'

test.each([
  ['012 345', '012345'],
  ['012–345', '012345'],
  ['０１２３４５', '012345'],
  ['٠١٢٣٤٥', '012345'],
  ['۶۷۸۹۰۱', '678901'],
  ['०१२३४५', '012345'],
  ['ABCDEF-ghjkmn—pqrstu−vwxyz2', 'abcdefghjkmnpqrstuvwxyz2'],
])('the code %s is %s', (typed, code) => expect(normalizeCode(typed)).toBe(code))
