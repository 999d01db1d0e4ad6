import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Done, Id, Nullable } from '../shapes.ts'

/** Most artists whom an account follows; the next one is a 429. */
export const MAX_FOLLOWS = 2_000

const byId = Type.Object({ id: Id })

export type FollowedArtist = Static<typeof FollowedArtist>
export const FollowedArtist = Type.Object({
  _id: Id,
  username: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  avatar: Nullable(Type.String()),
  /** Number of works that the artist made. */
  works: Type.Integer(),
})

export const listFollows = endpoint({
  summary: 'Lists the artists whom the caller follows',
  description: 'The latest one first, without suspended ones.',
  method: 'GET',
  path: '/api/follows',
  access: 'account',
  response: Type.Object({ artists: Type.Array(FollowedArtist) }),
})

export const follow = endpoint({
  summary: 'Follows an artist',
  description:
    "`id` of the artist's account. Idempotent. 404 for an unknown account, 409 for one's own, 429 beyond the " +
    'limit.',
  method: 'PUT',
  path: '/api/follows/:id',
  access: 'account',
  params: byId,
  response: Done,
})

export const unfollow = endpoint({
  summary: 'Follows an artist no more',
  description: '404 for an artist whom the caller does not follow.',
  method: 'DELETE',
  path: '/api/follows/:id',
  access: 'account',
  params: byId,
  response: Done,
})
