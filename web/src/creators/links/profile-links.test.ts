import { expect, test } from 'vitest'
import { withScheme } from './profile-links.ts'

test.each([
  ['', ''],
  ['ada.example/a', 'https://ada.example/a'],
  [' ada.example ', 'https://ada.example'],
  ['https://ada.example', 'https://ada.example'],
  ['http://ada.example', 'http://ada.example'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
])('"%s" is sent as "%s"', (typed, sent) => {
  expect(withScheme(typed)).toBe(sent)
})
