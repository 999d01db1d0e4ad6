import { beforeEach, expect, test, vi } from 'vitest'
import { isPaymentPage } from './payment-page.ts'

const config = { payOrigins: ['https://checkout.example'] } as Parameters<typeof isPaymentPage>[1]

beforeEach(() => vi.stubGlobal('location', new URL('https://store.example/item-detail/a/b/1')))

test.each(['https://checkout.example/pay/cs_1', 'https://store.example/purchase-thanks?order=1', '/purchase-thanks'])(
  'a buyer is redirected to %s',
  (url) => expect(isPaymentPage(url, config)).toBe(true),
)

test.each([
  'https://evil.example/pay/cs_1',
  'https://checkout.example.evil.example/',
  'https://checkout.example@evil.example/',
  'https://checkout.example:8443/pay',
  'http://checkout.example/pay',
  '//evil.example/pay',
  'javascript:alert(1)',
  'data:text/html,pay',
  'https://',
])('a buyer is not redirected to %s', (url) => expect(isPaymentPage(url, config)).toBe(false))

test('without a configured processor a page of any origin is one, but no script', () => {
  expect(isPaymentPage('https://anywhere.example/pay', { ...config, payOrigins: undefined })).toBe(true)
  expect(isPaymentPage('javascript:alert(1)', { ...config, payOrigins: undefined })).toBe(false)
})
