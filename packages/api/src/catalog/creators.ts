import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, Nullable } from '../shapes.ts'
import { documentedPaging, Page, paging } from './paging.ts'
import { Nft } from './public.ts'

export type Creator = Static<typeof Creator>
export const Creator = Type.Object({
  _id: Id,
  username: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  avatar: Nullable(Type.String()),
  description: Type.String(),
  /** Works that the account made, also those it sold. */
  works: Type.Integer(),
  sales: Type.Integer(),
  /** The newest works that it owns, at most two. */
  items: Type.Array(Nft),
})

export type Creators = Static<typeof Creators>
export const Creators = Type.Object({ creators: Type.Array(Creator), ...Page.properties })

export const listCreators = endpoint({
  summary: 'Lists accounts that own works',
  description: '`sort=best` (the only order): by persons who bought, then by works. Paged as the market.',
  method: 'GET',
  path: '/api/creators',
  access: 'public',
  query: Type.Object({ sort: Type.Optional(Type.String()), ...paging.properties }),
  documented: { query: Type.Object({ sort: Type.Optional(Type.String()), ...documentedPaging.properties }) },
  cached: true,
  response: Creators,
})
