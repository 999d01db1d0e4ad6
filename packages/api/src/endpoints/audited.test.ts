import { expect, test } from 'vitest'
import { serviceNames } from '../services.ts'
import { endpoints } from './all.ts'
import { auditedEndpoints } from './audited.ts'

/** They change nothing of an account, or another event records the same. */
const notAudited = [
  'POST /api/auth/resend-confirmation',
  'POST /api/auth/step-up/challenge',
  'POST /api/wallet/challenge',
  // A second factor is on once its first code is confirmed, which is a security event.
  'POST /api/auth/second-factor',
  // They issue a challenge.
  'POST /api/auth/passkeys/options',
  'POST /api/auth/login/passkey/options',
  'POST /api/auth/step-up/passkey',
  'PUT /api/users/:id/upload-avatar',
  'PUT /api/users/:id/cover',
  'DELETE /api/users/:id/cover',
  'POST /api/orders/:id/cancel',
  'POST /api/payments/webhook',
  'POST /api/seller-application',
  'DELETE /api/seller-application',
  'POST /api/series',
  'PUT /api/series/:id',
  'DELETE /api/series/:id',
  'POST /api/gifts/open',
  'POST /api/certificates/open',
  'POST /api/favourites',
  'PUT /api/favourites/:id',
  'DELETE /api/favourites/:id',
  'PUT /api/follows/:id',
  'DELETE /api/follows/:id',
  'POST /api/subscribe',
  'POST /api/subscribe/confirm',
  'POST /api/contact',
  'POST /api/notices/read',
  'POST /api/notices/read-of-work',
  'POST /api/subscribe/unsubscribe',
  'POST /api/subscribe/one-click',
]

/** They return ids, states and amounts: no address and no text of a person. */
const silentReads = [
  'GET /internal/auctions/:id',
  'GET /internal/ops/accounts/:id/cards',
  'GET /internal/ops/deliveries/:lineId',
  'GET /internal/ops/items/:id',
  'GET /internal/ops/orders/:id/sides',
  'GET /internal/ops/payouts/:userId/unpaid',
  'GET /internal/ops/sales/:month',
]

test('every public endpoint that changes something is a security event, or named here as none', () => {
  const writing = serviceNames.flatMap((name) => endpoints[name].public).filter(({ method }) => method !== 'GET')
  const silent = writing.filter((endpoint) => !auditedEndpoints.has(endpoint))
  expect(silent.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(notAudited.sort())
})

test('what operators read of one order, account, message or work is a security event, or named here as none', () => {
  const read = serviceNames
    .flatMap((name) => endpoints[name].internal)
    .filter(({ access, method, path }) => access === 'operator' && method === 'GET' && path.includes(':'))
  const silent = read.filter((endpoint) => !auditedEndpoints.has(endpoint))
  expect(silent.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(silentReads)
})
