import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { givenMember, startTestAuth } from '../testing/auth.ts'

const FLOOD = 200
const password = 'not the password'
const guesses = {
  'log-in': () => ({ path: '/api/auth/login', body: { email: `${randomUUID()}@example.com`, password } }),
  'lock screen': () => ({ path: '/api/auth/lockscreen-login', body: { userId: randomUUID(), password } }),
}

test.each([
  ['log-in', 'an IPv4 address', () => '203.0.113.66'],
  ['lock screen', 'a /48 of IPv6', (index: number) => `2001:db8:6:${index}::1`],
] as const)('others log in while the %s is flooded with accounts from %s', async (route, _network, address) => {
  const auth = await startTestAuth()
  const ada = await givenMember(auth)

  const flood = Array.from({ length: FLOOD }, (_, index) => {
    const { path, body } = guesses[route]()
    return auth.call('POST', path, { body, from: address(index) })
  })
  const { email } = ada
  const others = ['198.51.100.8', '198.51.100.9', '2001:db8:7::1'].map((from) =>
    auth.call('POST', '/api/auth/login', { body: { email, password: ada.password }, from }),
  )

  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200])
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status !== 401)).toEqual(refused)
  // Six run at once and twenty wait.
  expect(refused).toHaveLength(FLOOD - 26)
  for (const { headers, body } of refused) {
    expect(headers['retry-after']).toBe('1')
    expect(body).toMatchObject({ success: false, code: 'too_many_requests' })
  }
})
