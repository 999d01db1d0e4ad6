import { auditedEndpoints } from '@nifty/api/endpoints/audited'
import { expect, test } from 'vitest'
import { originText, securityEventText } from './security-event-text.ts'

const ofAuth = /^\/api\/(auth|users|wallet|password-reset)\//
const kinds = [...auditedEndpoints].filter(([{ path }]) => ofAuth.test(path)).map(([, kind]) => kind)

test.each([...new Set(kinds), 'second_factor_required', 'access_denied', 'operator'])(
  'the event "%s" has a text of its own',
  (kind) => {
    const text = securityEventText({ kind, outcome: 'ok' })
    expect(text).toMatch(/^[A-Z]/)
    const refused = kind === 'account_deleted' ? 'Attempt to delete the account' : text
    expect(securityEventText({ kind, outcome: 'wrong_password' })).toBe(`${refused} (refused)`)
  },
)

test('a request that only lacked a step-up is not shown as refused', () => {
  expect(securityEventText({ kind: 'access_denied', outcome: 'step_up_required' })).toBe(
    'Another request (confirmation asked for)',
  )
})

test.each([
  [1, '192.0.2.7', ' from 192.0.2.7'],
  [1, '', ''],
  [61, '192.0.2.7', ' 61 times, the last from 192.0.2.7'],
  [1_000, '192.0.2.7', ' 1,000 times or more, the last from 192.0.2.7'],
])('%i attempts from "%s" are "%s"', (count, address, text) => {
  expect(originText({ count, address })).toBe(text)
})
