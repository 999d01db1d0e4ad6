import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Nullable } from '../shapes.ts'
import { Nft } from './public.ts'

const ownItem = {
  method: 'PUT',
  access: 'account',
  params: Type.Object({ contract: Type.String(), identifier: Type.String() }),
  response: Type.Object({ success: Type.Literal(true) }),
} as const

export const hideOwnItem = endpoint({
  summary: 'Hides an own work from all public pages',
  description:
    'Until its owner shows it or another account owns it; the token stays public on the chain. Idempotent. 403 ' +
    '`not_the_owner`; 409 `listed`, or `item_reserved` during a payment.',
  path: '/api/nfts/:contract/:identifier/hide',
  ...ownItem,
})

export const showOwnItem = endpoint({
  summary: 'Shows an own work again, not for sale',
  description: 'Idempotent. 404 for a work that an operator hides.',
  path: '/api/nfts/:contract/:identifier/show',
  ...ownItem,
})

export type HiddenNft = Static<typeof HiddenNft>
export const HiddenNft = Type.Object({
  ...Nft.properties,
  /** `operator`: its owner cannot show it again. */
  hiddenBy: Type.Enum(['owner', 'operator']),
  /** The operator's. */
  hiddenReason: Nullable(Type.String()),
})

export const listHiddenItems = endpoint({
  summary: 'Lists the hidden works of the caller',
  description: 'Those that the caller hides and those that an operator hides, at most 200.',
  method: 'GET',
  path: '/api/nfts/hidden',
  access: 'account',
  response: Type.Object({ nfts: Type.Array(HiddenNft) }),
})
