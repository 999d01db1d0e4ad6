/** Exhibitions, which operators make, and series of an artist: works in an order, with a page of their own. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { exhibitionLimits } from '../exhibition-limits.ts'
import { Done, Id, Nullable } from '../shapes.ts'
import { documentedPaging, Page, paging } from './paging.ts'
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

export type Exhibitions = Static<typeof Exhibitions>
export const Exhibitions = Type.Object({ exhibitions: Type.Array(ExhibitionCard), ...Page.properties })

export type Exhibition = Static<typeof Exhibition>
export const Exhibition = Type.Object({ ...fields, nfts: Type.Array(Nft) })

const filters = {
  artist: Type.Optional(Type.String({ maxLength: 300 })),
  series: Type.Optional(Type.String({ enum: ['', 'true', 'false'] })),
}

export const listExhibitions = endpoint({
  summary: 'Lists exhibitions',
  description:
    'Those that will open first, then the open ones, the last opened first. With `artist`, a username, the series ' +
    'of this artist; with `series=true` those of all. Paged as the market.',
  method: 'GET',
  path: '/api/exhibitions',
  access: 'public',
  query: Type.Object({ ...filters, ...paging.properties }),
  documented: { query: Type.Object({ ...filters, ...documentedPaging.properties }) },
  cached: true,
  response: Exhibitions,
})

export const getExhibition = endpoint({
  summary: 'Returns an exhibition or series',
  description: 'With its works in their order, hidden ones left out. 404 `exhibition_not_found`.',
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

export const listOwnSeries = endpoint({
  summary: 'Lists the series of the caller, newest first',
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

export const createSeries = endpoint({
  summary: 'Makes a series of works that the caller created',
  description:
    '400 `invalid_exhibition` with `errors`, `duplicate_item`; 403 `not_the_creator`; 429 `too_many_series` ' +
    'beyond 50.',
  method: 'POST',
  path: '/api/series',
  ...series,
})

export const changeSeries = endpoint({
  summary: 'Changes a series of the caller',
  description: "Its slug stays. 404 `exhibition_not_found` for another account's.",
  method: 'PUT',
  path: '/api/series/:id',
  params: Type.Object({ id: Id }),
  ...series,
})

export const removeSeries = endpoint({
  summary: 'Removes a series of the caller',
  description: "Its works stay. 404 `exhibition_not_found` for another account's.",
  method: 'DELETE',
  path: '/api/series/:id',
  access: 'account',
  params: Type.Object({ id: Id }),
  response: Done,
})
