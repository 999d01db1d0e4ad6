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
