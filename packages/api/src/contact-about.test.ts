import { expect, test } from 'vitest'
import { contactAboutOrder, contactSubject } from './contact-about.ts'

const orderId = 'fcfc512e-38d5-4f0e-9d1c-0d3a6c1d2b7e'

test('the address of a question about an order has its number, and the subject as well', () => {
  expect(contactAboutOrder(orderId)).toBe('/contact?about=order:FCFC512E')
  expect(contactSubject('order:FCFC512E')).toBe('Order FCFC512E')
  expect(contactSubject('order:fcfc512e')).toBe('Order FCFC512E')
})

test.each([null, '', 'order', 'order:', 'order:12', `order:${orderId}`, 'order:<script>', 'other:FCFC512E'])(
  'a question about %s has no subject',
  (about) => expect(contactSubject(about)).toBe(''),
)
