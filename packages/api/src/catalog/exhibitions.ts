/** Exhibitions, which operators make, and series of an artist: works in an order, with a page of their own. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { exhibitionLimits } from '../exhibition-limits.ts'
import { Done, Id, Nullable } from '../shapes.ts'
import { Nft } from './public.ts'

const Artist = Type.Object({
  username: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  avatar: Nullable(Type.String()),
})

const fields = {
  /** Names it in its address: lower case letters, digits and single dashes. */
  slug: Type.String(),
  title: Type.String(),
  description: Type.String(),
  /** `2026-12-05`, in UTC: from this day on its works are shown. */
  opensOn: Type.String(),
  open: Type.Boolean(),
  /** Of a series; null for an exhibition. */
  artist: Nullable(Artist),
}

/** `nfts`: the first three works that are not hidden, none before it opens; `works`: how many there are. */
export type ExhibitionCard = Static<typeof ExhibitionCard>
export const ExhibitionCard = Type.Object({ ...fields, works: Type.Integer(), nfts: Type.Array(Nft) })

export type Exhibition = Static<typeof Exhibition>
export const Exhibition = Type.Object({ ...fields, nfts: Type.Array(Nft) })

/**
 * The newest 60 exhibitions: those that will open first, then the open ones, the last opened first. With `artist`, a
 * username, the series of this artist; with `series=true` those of all.
 */
export const listExhibitions = endpoint({
  method: 'GET',
  path: '/api/exhibitions',
  access: 'public',
  query: Type.Object({
    artist: Type.Optional(Type.String({ maxLength: 300 })),
    series: Type.Optional(Type.String({ enum: ['', 'true', 'false'] })),
  }),
  cached: true,
  response: Type.Object({ exhibitions: Type.Array(ExhibitionCard) }),
})

/** One exhibition or series with its works in their order, hidden ones left out. 404 `exhibition_not_found`. */
export const getExhibition = endpoint({
  method: 'GET',
  path: '/api/exhibitions/:slug',
  access: 'public',
  params: Type.Object({ slug: Type.String({ minLength: 1, maxLength: 80 }) }),
  cached: true,
  response: Exhibition,
})

const Title = Type.String({ maxLength: 400 })
const Description = Type.String({ maxLength: 10_000 })
const ItemIds = Type.Array(Id, { minItems: 1, maxItems: exhibitionLimits.works })

/** A series for the studio of its artist. `itemIds` has hidden works, too. */
export type OwnSeries = Static<typeof OwnSeries>
export const OwnSeries = Type.Object({
  _id: Id,
  slug: Type.String(),
  title: Type.String(),
  description: Type.String(),
  itemIds: Type.Array(Id),
})

/** The series of the caller, newest first. */
export const listOwnSeries = endpoint({
  method: 'GET',
  path: '/api/series',
  access: 'account',
  response: Type.Object({ series: Type.Array(OwnSeries) }),
})

const series = {
  access: 'seller',
  body: Type.Object({ title: Title, description: Description, itemIds: ItemIds }),
  response: Type.Object({ success: Type.Literal(true), series: OwnSeries }),
} as const

/**
 * Makes a series of works that the caller created. 400 `invalid_exhibition` with `errors`, `duplicate_item`; 403
 * `not_the_creator`; 429 `too_many_series` beyond 50.
 */
export const createSeries = endpoint({ method: 'POST', path: '/api/series', ...series })

/** Changes a series of the caller; its slug stays. 404 `exhibition_not_found` for another account's. */
export const changeSeries = endpoint({
  method: 'PUT',
  path: '/api/series/:id',
  params: Type.Object({ id: Id }),
  ...series,
})

/** Removes a series of the caller; its works stay. 404 `exhibition_not_found` for another account's. */
export const removeSeries = endpoint({
  method: 'DELETE',
  path: '/api/series/:id',
  access: 'account',
  params: Type.Object({ id: Id }),
  response: Done,
})
