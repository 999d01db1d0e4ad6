import { expect, test } from 'vitest'
import { rarestGramsOf } from './search.ts'

test.each([
  ['harbour', ['harbour bo', 'har bou', 'our'], ['arb', 'rbo', 'har']],
  ['@artist43', ['@artist1', '@artist2'], ['st4', 't43', '@ar']],
  ['狐', [], ['狐']],
  ['ab', ['ab'], ['ab']],
])('of the trigrams of "%s", those that the fewest texts have', (word, texts, grams) => {
  expect(rarestGramsOf(word, texts)).toEqual(grams)
})
