import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, Nullable, operatorAction } from '../shapes.ts'

const visibility = {
  access: 'operator',
  params: Type.Object({ id: Id }),
  body: Type.Object(operatorAction),
  response: Type.Object({ success: Type.Literal(true) }),
} as const

/** Hides an item from every public page, or shows it again. */
export const hideItem = endpoint({ method: 'POST', path: '/internal/items/:id/hide', ...visibility })
export const showItem = endpoint({ method: 'POST', path: '/internal/items/:id/show', ...visibility })

/** The works that operators feature on the home page, in their order. */
export const listFeaturedItems = endpoint({
  method: 'GET',
  path: '/internal/featured-items',
  access: 'operator',
  response: Type.Object({
    items: Type.Array(
      Type.Object({ itemId: Id, name: Type.String(), forSale: Type.Boolean(), hidden: Type.Boolean() }),
    ),
  }),
})

/** Replaces the list. 400 `duplicate_item`, 404 for an unknown work, 409 `item_hidden`. */
export const featureItems = endpoint({
  method: 'PUT',
  path: '/internal/featured-items',
  access: 'operator',
  body: Type.Object({ itemIds: Type.Array(Id, { minItems: 1, maxItems: 6 }), ...operatorAction }),
  response: Type.Object({ success: Type.Literal(true) }),
})

/** Takes one work off the list. 404 `item_not_featured`. */
export const unfeatureItem = endpoint({ method: 'POST', path: '/internal/items/:id/unfeature', ...visibility })

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

/** All exhibitions, and the newest 500 series, the last to open first. */
export const listAllExhibitions = endpoint({
  method: 'GET',
  path: '/internal/exhibitions',
  access: 'operator',
  response: Type.Object({ exhibitions: Type.Array(ListedExhibition) }),
})

/**
 * Makes an exhibition, or replaces the one of this slug. 400 `invalid_exhibition` with `errors`, `duplicate_item`; 404
 * for an unknown work; 409 `slug_of_series`.
 */
export const setExhibition = endpoint({
  method: 'PUT',
  path: '/internal/exhibitions/:slug',
  access: 'operator',
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

/** Removes an exhibition, or the series of an artist; the works stay. 404 `exhibition_not_found`. */
export const removeExhibition = endpoint({
  method: 'POST',
  path: '/internal/exhibitions/:slug/remove',
  access: 'operator',
  params: Type.Object({ slug: Type.String({ minLength: 1, maxLength: 80 }) }),
  body: Type.Object(operatorAction),
  response: Type.Object({ success: Type.Literal(true) }),
})
