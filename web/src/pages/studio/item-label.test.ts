import { expect, test } from 'vitest'
import { itemLabel } from './item-label.ts'

test('items of one name are told apart by their token number', () => {
  const [one, two, other] = [
    { name: 'Dusk', identifier: '7' },
    { name: 'Dusk', identifier: '12345678901234' },
    { name: 'Dawn', identifier: '9' },
  ] as const
  expect([one, two, other].map((item) => itemLabel(item, [one, two, other]))).toEqual([
    'Dusk #7',
    'Dusk #12345...01234',
    'Dawn',
  ])
})
