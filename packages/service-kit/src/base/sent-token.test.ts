import { expect, test } from 'vitest'
import { randomToken } from './secrets.ts'
import { readSentToken, withSendingTime } from './sent-token.ts'

const sentAt = new Date('2026-11-01T10:00:00Z')

test('the link of a mail that left before the key was replaced has its token and its time', () => {
  const token = randomToken()
  const text = withSendingTime(token, sentAt, ['former'])
  expect(readSentToken(text, ['new', 'former'])).toEqual({ token, sentAt })
  expect(readSentToken(text, ['new'])).toBeUndefined()
  expect(readSentToken(withSendingTime(token, sentAt, ['new', 'former']), ['new'])).toEqual({ token, sentAt })
})

test('a later time than that of the sending is refused', () => {
  const text = withSendingTime(randomToken(), sentAt, ['key'])
  const later = text.slice(0, 43) + (Number.parseInt(text.slice(43, 51), 16) + 3_600).toString(16) + text.slice(51)
  expect(readSentToken(later, ['key'])).toBeUndefined()
})
