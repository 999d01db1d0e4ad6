import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Id, IsoDate, Nullable } from '../shapes.ts'

/** A visible item; `username` of its owner, null without one. `changedAt`: the last listing, or else the mint. */
export type SitemapItem = Static<typeof SitemapItem>
export const SitemapItem = Type.Object({
  username: Nullable(Type.String()),
  contract: Type.String(),
  identifier: Type.String(),
  changedAt: IsoDate,
})

export const listSitemapParts = endpoint({
  summary: 'Lists the first ids of the parts in which sitemaps list the visible items',
  method: 'GET',
  path: '/api/nfts/sitemap/parts',
  access: 'public',
  limit: limits.sitemap,
  response: Type.Object({ parts: Type.Array(Id) }),
})

export const listSitemapItems = endpoint({
  summary: 'Lists the items of one part, from this id on',
  method: 'GET',
  path: '/api/nfts/sitemap',
  access: 'public',
  limit: limits.sitemap,
  query: Type.Object({ first: Id }),
  response: Type.Object({ items: Type.Array(SitemapItem) }),
})

export const listSitemapExhibitions = endpoint({
  summary: 'Lists the slugs of exhibitions and series that have visible works',
  description: 'The newest 40,000.',
  method: 'GET',
  path: '/api/nfts/sitemap/exhibitions',
  access: 'public',
  limit: limits.sitemap,
  response: Type.Object({ slugs: Type.Array(Type.String()) }),
})
