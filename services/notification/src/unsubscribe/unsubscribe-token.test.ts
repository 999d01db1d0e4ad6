import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readToken, signSubject, subjectOf } from './unsubscribe-token.ts'

test('a link that was mailed before the key was replaced ends the mails', () => {
  const wanted = { list: 'newsletter', id: randomUUID() } as const
  const token = signSubject(subjectOf(wanted), ['former'])
  expect(readToken(token, ['new', 'former'])).toEqual(wanted)
  expect(() => readToken(token, ['new'])).toThrow('This link is invalid')
  expect(signSubject(subjectOf(wanted), ['new', 'former'])).toBe(signSubject(subjectOf(wanted), ['new']))
})
