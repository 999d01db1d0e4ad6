import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Done, Id } from '../shapes.ts'
import { Nft } from './public.ts'

/** Most favourites of an account; the next one is a 429. */
export const MAX_FAVOURITES = 2_000
/** Most items of one request by id. */
export const MAX_ITEMS_BY_ID = 48

const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'
const byId = Type.Object({ id: Id })

export const listNftsById = endpoint({
  summary: 'Lists items by their ids, in that order',
  description: 'Works that a browser or an account has marked. Hidden and unknown ones are left out.',
  method: 'GET',
  path: '/api/nfts/by-id',
  access: 'public',
  /** Ids, separated by commas. */
  query: Type.Object({ ids: Type.String({ maxLength: 2_000 }) }),
  documented: {
    query: Type.Object({ ids: Type.String({ pattern: `^${uuid}(,${uuid}){0,${MAX_ITEMS_BY_ID - 1}}$` }) }),
  },
  cached: true,
  response: Type.Object({ nfts: Type.Array(Nft) }),
})

export const listFavourites = endpoint({
  summary: "Lists the caller's favourites",
  description: 'Newest first, without hidden works.',
  method: 'GET',
  path: '/api/favourites',
  access: 'account',
  response: Type.Object({ itemIds: Type.Array(Id) }),
})

export type MergedFavourites = Static<typeof MergedFavourites>
export const MergedFavourites = Type.Object({
  success: Type.Literal(true),
  /** Works that were no favourites before. */
  added: Type.Integer(),
})

export const mergeFavourites = endpoint({
  summary: 'Adds the favourites that a browser kept before the log-in',
  description: 'Newest first. Hidden and unknown works are left out, and so are the oldest ones beyond the limit.',
  method: 'POST',
  path: '/api/favourites',
  access: 'account',
  body: Type.Object({ itemIds: Type.Array(Id, { maxItems: MAX_FAVOURITES }) }),
  response: MergedFavourites,
})

export const addFavourite = endpoint({
  summary: 'Adds a favourite',
  description: 'Idempotent. 404 for an unknown work, 409 for a hidden one, 429 beyond the limit.',
  method: 'PUT',
  path: '/api/favourites/:id',
  access: 'account',
  params: byId,
  response: Done,
})

export const removeFavourite = endpoint({
  summary: 'Removes a favourite',
  description: '404 for a work that is no favourite of the caller.',
  method: 'DELETE',
  path: '/api/favourites/:id',
  access: 'account',
  params: byId,
  response: Done,
})
