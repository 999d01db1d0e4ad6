import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { MAX_FEATURED } from '../featured-limit.ts'
import { Id, Nullable, operatorAction } from '../shapes.ts'

const visibility = {
  access: 'operator',
  params: Type.Object({ id: Id }),
  body: Type.Object(operatorAction),
  response: Type.Object({ success: Type.Literal(true) }),
} as const

export const hideItem = endpoint({
  summary: 'Hides an item from every public page',
  method: 'POST',
  path: '/internal/items/:id/hide',
  role: 'moderation',
  confirm: 'always',
  ...visibility,
})
export const showItem = endpoint({
  summary: 'Shows a hidden item again',
  method: 'POST',
  path: '/internal/items/:id/show',
  role: 'moderation',
  confirm: 'never',
  ...visibility,
})

export const listFeaturedItems = endpoint({
  summary: 'Lists the works that operators feature on the home page, in their order',
  method: 'GET',
  path: '/internal/featured-items',
  access: 'operator',
  role: 'moderation',
  confirm: 'never',
  response: Type.Object({
    items: Type.Array(
      Type.Object({ itemId: Id, name: Type.String(), forSale: Type.Boolean(), hidden: Type.Boolean() }),
    ),
  }),
})

export const featureItems = endpoint({
  summary: 'Replaces the list of featured works',
  description: '400 `duplicate_item`, 404 for an unknown work, 409 `item_hidden`.',
  method: 'PUT',
  path: '/internal/featured-items',
  access: 'operator',
  role: 'moderation',
  confirm: 'never',
  body: Type.Object({ itemIds: Type.Array(Id, { minItems: 1, maxItems: MAX_FEATURED }), ...operatorAction }),
  response: Type.Object({ success: Type.Literal(true) }),
})

export const unfeatureItem = endpoint({
  summary: 'Takes one work off the list of featured works',
  description: '404 `item_not_featured`.',
  method: 'POST',
  path: '/internal/items/:id/unfeature',
  role: 'moderation',
  confirm: 'never',
  ...visibility,
})

/** An exhibition or series for operators. `works`: how many it has, hidden ones included. */
export type ListedExhibition = Static<typeof ListedExhibition>
export const ListedExhibition = Type.Object({
  slug: Type.String(),
  title: Type.String(),
  opensOn: Type.String(),
  works: Type.Integer(),
  /** Username of the artist of a series. */
  artist: Nullable(Type.String()),
})

export const listAllExhibitions = endpoint({
  summary: 'Lists all exhibitions',
  description: 'And the newest 500 series, the last to open first.',
  method: 'GET',
  path: '/internal/exhibitions',
  access: 'operator',
  role: 'moderation',
  confirm: 'never',
  response: Type.Object({ exhibitions: Type.Array(ListedExhibition) }),
})

export const setExhibition = endpoint({
  summary: 'Makes an exhibition, or replaces the one of this slug',
  description:
    '400 `invalid_exhibition` with `errors`, `duplicate_item`; 404 for an unknown work; 409 `slug_of_series`.',
  method: 'PUT',
  path: '/internal/exhibitions/:slug',
  access: 'operator',
  role: 'moderation',
  confirm: 'never',
  params: Type.Object({ slug: Type.String({ minLength: 1, maxLength: 80 }) }),
  body: Type.Object({
    title: Type.String({ maxLength: 400 }),
    description: Type.String({ maxLength: 10_000 }),
    opensOn: Type.String({ maxLength: 10 }),
    itemIds: Type.Array(Id, { minItems: 1, maxItems: 100 }),
    ...operatorAction,
  }),
  response: Type.Object({ success: Type.Literal(true) }),
})

export const removeExhibition = endpoint({
  summary: 'Removes an exhibition, or the series of an artist',
  description: 'The works stay. 404 `exhibition_not_found`.',
  method: 'POST',
  path: '/internal/exhibitions/:slug/remove',
  access: 'operator',
  role: 'moderation',
  confirm: 'always',
  params: Type.Object({ slug: Type.String({ minLength: 1, maxLength: 80 }) }),
  body: Type.Object(operatorAction),
  response: Type.Object({ success: Type.Literal(true) }),
})
