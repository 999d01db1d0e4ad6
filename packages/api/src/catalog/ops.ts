import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, operatorAction } from '../shapes.ts'

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
