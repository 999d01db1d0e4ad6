import { expect, test } from 'vitest'
import { parseContactForm } from './contact-form.ts'

test.each(['name', 'subject'])('a %s with invisible characters is refused', (field) => {
  const form = { name: 'Eve', email: 'eve@people.test', subject: 'Hi', message: 'Hello', [field]: 'Eve\u202e' }
  expect(parseContactForm(form)).toMatchObject({ errors: [{ path: field }] })
})

test('the address of a contact message has its domain in ASCII', () => {
  const form = { name: 'Eve', email: 'eve@bücher.test', subject: 'Hi', message: 'Hello' }
  expect(parseContactForm(form)).toEqual({ contactMessage: { ...form, email: 'eve@xn--bcher-kva.test' } })
})

test('a line break of a message is one character, whichever form of it was sent', () => {
  const form = { name: 'Eve', email: 'eve@people.test', subject: 'Hi', message: `${'x'.repeat(4_998)}\r\ny` }
  expect(parseContactForm(form)).toMatchObject({ contactMessage: { message: `${'x'.repeat(4_998)}\ny` } })
})

test('an invalid contact message gets one error per field', () => {
  const parsed = parseContactForm({ name: ' ', email: 'nope', subject: 5, message: 'x'.repeat(5001) })
  expect(parsed).toMatchObject({
    errors: [{ path: 'name' }, { path: 'email' }, { path: 'subject' }, { path: 'message' }],
  })
})
