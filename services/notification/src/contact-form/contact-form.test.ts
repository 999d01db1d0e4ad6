import { expect, test } from 'vitest'
import { parseContactForm } from './contact-form.ts'

test.each(['name', 'subject'])('a %s with invisible characters is refused', (field) => {
  const form = { name: 'Eve', email: 'eve@people.test', subject: 'Hi', message: 'Hello', [field]: 'Eve\u202e' }
  expect(parseContactForm(form)).toMatchObject({ errors: [{ path: field }] })
})

test('an invalid contact message gets one error per field', () => {
  const parsed = parseContactForm({ name: ' ', email: 'nope', subject: 5, message: 'x'.repeat(5001) })
  expect(parsed).toMatchObject({
    errors: [{ path: 'name' }, { path: 'email' }, { path: 'subject' }, { path: 'message' }],
  })
})
