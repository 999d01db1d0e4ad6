import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, Nullable } from '../shapes.ts'

/** Keys whose tokens are accepted, and ended sessions whose tokens have not expired. */
export type SessionList = Static<typeof SessionList>
export const SessionList = Type.Object({
  keys: Type.Array(Type.Object({ kid: Type.String(), publicKey: Type.String() })),
  endedSessions: Type.Array(Type.String()),
})
export const listSessions = endpoint({
  method: 'GET',
  path: '/internal/sessions',
  access: 'service',
  response: SessionList,
})

/** Whether an account may buy, and the wallet that receives its tokens. */
export type Buyer = Static<typeof Buyer>
export const Buyer = Type.Object({
  userId: Id,
  username: Type.String(),
  email: Type.String(),
  wallet: Nullable(Type.String()),
  suspended: Type.Boolean(),
})
export const getBuyer = endpoint({
  method: 'GET',
  path: '/internal/buyers/:id',
  access: 'service',
  params: Type.Object({ id: Id }),
  response: Buyer,
})
