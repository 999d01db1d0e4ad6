import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { operatorRoles } from '../endpoint.ts'
import { serviceNames } from '../services.ts'
import { endpoints } from './all.ts'

const named = [...new Set(serviceNames.flatMap((name) => endpoints[name].internal))]
  .filter(({ access }) => access === 'operator')
  .map((endpoint) => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint }))

test('each role has endpoints', () => {
  expect(new Set(named.map(({ endpoint }) => endpoint.role))).toEqual(new Set(operatorRoles))
})

test.each(named)('$name has a role, and says whether it is confirmed by itself', ({ endpoint }) => {
  expect(operatorRoles).toContain(endpoint.role)
  expect(['always', 'never']).toContain(endpoint.confirm)
})

/** They find what the endpoints of the further role take or return by id; none of them changes anything. */
const forFurtherRoles = {
  'GET /internal/ops/orders/:id': ['money'],
  'POST /internal/ops/accounts/search': ['money'],
  'POST /internal/ops/orders/search': ['money'],
}

test('few endpoints are for further roles', () => {
  const found = named.flatMap(({ name, endpoint }) => (endpoint.alsoFor ? [[name, endpoint.alsoFor]] : []))
  expect(Object.fromEntries(found)).toEqual(forFurtherRoles)
})

/** They read with a body, or can be done again or undone without a loss. */
const unconfirmed = [
  'POST /internal/items/:id/show',
  'POST /internal/items/:id/unfeature',
  'POST /internal/ops/accounts/search',
  'POST /internal/ops/alarms/acknowledge',
  'POST /internal/ops/close-finding',
  'POST /internal/ops/confirm-email',
  'POST /internal/ops/contact-messages/:id/answers',
  'POST /internal/ops/contact-messages/:id/assignment',
  'POST /internal/ops/contact-messages/:id/state',
  'POST /internal/ops/contact-messages/search',
  'POST /internal/ops/describe-account',
  'POST /internal/ops/find-hand-back',
  'POST /internal/ops/freed-items',
  'POST /internal/ops/items/search',
  'POST /internal/ops/mails/acknowledge',
  'POST /internal/ops/mails/repeat',
  'POST /internal/ops/mails/search',
  'POST /internal/ops/orders/:id/notes',
  'POST /internal/ops/orders/search',
  'POST /internal/ops/reconciliations',
  'POST /internal/ops/replay',
  'POST /internal/ops/republish',
  'POST /internal/ops/retry-delivery',
  'POST /internal/subscribers/list',
  'PUT /internal/exhibitions/:slug',
  'PUT /internal/featured-items',
]

test('money, rights, signers, take-downs and what cannot be undone are always confirmed', () => {
  const writes = named.filter(({ endpoint }) => endpoint.method !== 'GET' && endpoint.confirm === 'never')
  expect(writes.map(({ name }) => name).sort()).toEqual(unconfirmed)
})

test.each(named.filter(({ endpoint }) => endpoint.confirm === 'always'))(
  '$name, which is always confirmed, is refused without a reason',
  ({ endpoint }) => {
    const errors = Compile(endpoint.body!).Errors({})
    expect(errors.flatMap(({ params }: any) => params.requiredProperties ?? [])).toContain('reason')
  },
)
