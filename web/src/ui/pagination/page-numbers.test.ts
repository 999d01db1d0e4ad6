import { expect, test } from 'vitest'
import { pageNumbers } from './page-numbers.ts'

test.each([
  [1, 1, '1'],
  [1, 2, '1 2'],
  [4, 7, '1 2 3 4 5 6 7'],
  [1, 8, '1 2 3 4 5 gap 8'],
  [4, 31, '1 2 3 4 5 gap 31'],
  [5, 31, '1 gap 4 5 6 gap 31'],
  [31, 31, '1 gap 27 28 29 30 31'],
  [1250, 1250, '1 gap 1246 1247 1248 1249 1250'],
])('page %i of %i names %s', (page, pages, expected) => expect(pageNumbers(page, pages).join(' ')).toBe(expected))

test('a long pagination has the same number of places on each page, with the present, the first and the last one', () => {
  for (let page = 1; page <= 12; page++) {
    const shown = pageNumbers(page, 12)
    expect(shown).toHaveLength(7)
    expect([shown[0], shown.includes(page), shown[6]]).toEqual([1, true, 12])
  }
})
