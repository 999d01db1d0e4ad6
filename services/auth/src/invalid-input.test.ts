import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { limitsOf } from './quotas/limits.ts'
import { givenMember, startTestAuth } from './testing/auth.ts'

const auth = await startTestAuth({ limits: limitsOf(1000) }, afterAll)

const odd: unknown[] = [null, true, 0, -1, 1e308, '', '\u0000', '\ud800', '💥', '%', "'", '../..', 'x'.repeat(5000)]
odd.push([], {}, [[]], { $gt: '' }, ['a@b.cd'], { toString: 1 }, randomUUID(), '2026-01-01', '<script>')

const routes: Record<string, string[]> = {
  'POST /api/auth/signup': ['firstName', 'lastName', 'username', 'email', 'password'],
  'POST /api/auth/login': ['email', 'password'],
  'POST /api/auth/lockscreen-login': ['userId', 'password'],
  'POST /api/auth/step-up': ['password', 'wallet'],
  'POST /api/auth/freeze': ['token'],
  'POST /api/auth/verify-email': ['token'],
  'POST /api/password-reset/request': ['email'],
  'POST /api/password-reset/reset': ['token', 'newPassword'],
  'POST /api/wallet/challenge': ['address'],
  'POST /api/wallet/connect-metamask': ['userId', 'metamaskAddress', 'message', 'signature'],
  'PUT /api/users/:id/change-password': ['oldPassword', 'newPassword'],
  'PUT /api/users/:id': ['firstName', 'description', 'websiteURL', 'phonenum', 'email', 'notifications'],
}

test.each(Object.entries(routes))('%s responds to invalid input without a 5xx', async (route, fields) => {
  const ada = await givenMember(auth)
  const [method, path] = route.replace(':id', ada.id).split(' ') as ['POST' | 'PUT', string]
  const good = {
    ...ada,
    userId: ada.id,
    newPassword: 'short',
    oldPassword: 'x',
    metamaskAddress: `0x${'12'.repeat(20)}`,
  }
  const bodies = fields.flatMap((field) =>
    odd.map((value) => ({
      ...Object.fromEntries(fields.map((name) => [name, good[name as 'email']])),
      [field]: value,
    })),
  )
  for (const body of [...bodies, ...odd.filter((value) => typeof value === 'object' && value !== null)]) {
    const { status } = await auth.call(method, path, { body, token: ada.token, stepUp: ada.stepUp })
    expect(status, JSON.stringify(body)?.slice(0, 200)).toBeLessThan(500)
  }
})

test('ids and names in URLs respond to invalid input with a 4xx', async () => {
  const { token } = await givenMember(auth)
  const names = [
    '%00',
    '%',
    '%ff',
    '..',
    '%2e%2e%2f',
    "';--",
    '💥',
    '{}',
    '[]',
    'x'.repeat(390),
    randomUUID(),
    '-1',
    'null',
  ]
  for (const name of names)
    for (const url of ['/api/users/change/', '/api/users/profile/', '/uploads/avatars/', '/api/users/'])
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const answer = await auth.app.inject({
          method,
          url: `${url}${name}`,
          headers: { authorization: `Bearer ${token}` },
        })
        expect(answer.statusCode, `${method} ${url}${name}`).toBeGreaterThanOrEqual(400)
        expect(answer.statusCode, `${method} ${url}${name}`).toBeLessThan(500)
        expect(answer.json()).toMatchObject({ success: false })
      }
})
