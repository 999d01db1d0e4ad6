import { expect, test } from 'vitest'
import { emailParts } from './email-parts.ts'

test.each([
  ['ada@nifty.example', ['ada@', 'nifty.', 'example']],
  ['ada.lind+shop@mail-host.example', ['ada.', 'lind+', 'shop@', 'mail-', 'host.', 'example']],
  ['a..b@c', ['a.', '.', 'b@', 'c']],
  ['', []],
])('the address %j can break between %j', (address, parts) => {
  expect(emailParts(address).map(({ text }) => text)).toEqual(parts)
  expect(parts.join('')).toBe(address)
})

test('a part that is longer than most columns are wide breaks anywhere', () => {
  const long = 'x'.repeat(60)
  expect(emailParts(`${long}@nifty.example`)).toEqual([
    { text: `${long}@`, isWhole: false },
    { text: 'nifty.', isWhole: true },
    { text: 'example', isWhole: true },
  ])
})
