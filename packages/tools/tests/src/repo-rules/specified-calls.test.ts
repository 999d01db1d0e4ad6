import { endpoints } from '@nifty/api/endpoints/all'
import { expect, test } from 'vitest'

/**
 * The calls of the product's specification, to the letter: clients exist that we do not control. `*` needs a bearer
 * token.
 */
const specified = `
GET /api/nfts/market
GET /api/nfts/user/{username}
GET /api/nfts/{username}/{contract}/{identifier}
PUT /api/nfts/{contract}/{identifier}/set-price *
PUT /api/nfts/{contract}/{identifier}/remove-from-sale *
POST /api/nfts/test *
POST /api/subscribe
POST /api/contact
GET /api/auth/user *
POST /api/auth/login
POST /api/auth/signup
POST /api/auth/lockscreen-login
POST /api/password-reset/request
POST /api/password-reset/reset
GET /api/users/profile/{username}
GET /api/users/change/{id}
PUT /api/users/{id}/upload-avatar *
PUT /api/users/{id}/change-password *
PUT /api/users/{id} *
DELETE /api/users/{id} *
POST /api/wallet/connect-metamask *
`

const served = Object.values(endpoints)
  .flatMap((service) => service.public)
  .map(({ method, path, access }) => {
    const needsToken = access === 'account' || access === 'seller'
    return `${method} ${path.replace(/:(\w+)/g, '{$1}')}${needsToken ? ' *' : ''}`
  })

test.each(specified.trim().split('\n'))('%s is served', (call) => {
  expect(served).toContain(call)
})
