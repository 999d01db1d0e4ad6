import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Nft } from './public.ts'

const ownItem = {
  method: 'PUT',
  access: 'account',
  params: Type.Object({ contract: Type.String(), identifier: Type.String() }),
  response: Type.Object({ success: Type.Literal(true) }),
} as const

/**
 * Hides an own work from all public pages, until its owner shows it or another account owns it; the token stays public
 * on the chain. Idempotent. 403 `not_the_owner`; 409 `listed`, or `item_reserved` during a payment.
 */
export const hideOwnItem = endpoint({ path: '/api/nfts/:contract/:identifier/hide', ...ownItem })

/** Shows an own work again, not for sale. Idempotent. 404 for a work that an operator hides. */
export const showOwnItem = endpoint({ path: '/api/nfts/:contract/:identifier/show', ...ownItem })

/** The works that the caller hides, at most 200. */
export const listHiddenItems = endpoint({
  method: 'GET',
  path: '/api/nfts/hidden',
  access: 'account',
  response: Type.Object({ nfts: Type.Array(Nft) }),
})
