import { expect, test } from 'vitest'
import { giftTextProblem, MAX_GIFT_TEXT, readGiftText } from './gift-text.ts'

test('a text of 300 characters is right, one of 301 is not, however many bytes each has', () => {
  expect(giftTextProblem('a'.repeat(MAX_GIFT_TEXT))).toBe(null)
  expect(giftTextProblem('🎁'.repeat(MAX_GIFT_TEXT))).toBe(null)
  expect(giftTextProblem('a'.repeat(MAX_GIFT_TEXT + 1))).toContain('at most 300')
  expect(giftTextProblem('')).toBe(null)
})

test.each([
  'https://evil.test',
  'see www.evil',
  'evil.com',
  'write to me@evil.example',
  'münchen.de',
  'HTTP://x',
  'evil\uff0ecom',
  'evil\u2024com',
  'evil\u3002com',
  'evil\uff61com',
  '\uff45vil.\uff43\uff4f\uff4d',
  'https\uff1a\uff0f\uff0fevil',
  'evil\u200b.\u2060com',
  'evil.\u00adcom',
  'ww\u200dw.evil',
])('%j is a link', (text) => expect(giftTextProblem(text)).toContain('links'))

test.each([
  'Happy birthday. Love, Ada',
  'At 9.30 p. m. …',
  'Well…here it is',
  'For you!\nWith 3.50 reasons',
  'عيد ميلاد سعيد',
  'お誕生日おめでとう。大好きです。Adaより',
  '👩‍👩‍👧 for you',
])('%s is no link', (text) => expect(giftTextProblem(text)).toBe(null))

test('control characters are refused, and line breaks are those of Unix', () => {
  expect(giftTextProblem('a\u0000b')).not.toBe(null)
  expect(giftTextProblem('a\u202eb')).not.toBe(null)
  expect(readGiftText(' a\r\nb ')).toBe('a\nb')
})
