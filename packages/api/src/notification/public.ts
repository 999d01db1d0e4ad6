import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Done } from '../shapes.ts'

/** Fields stay unknown here: each wrong one gets its own `errors[].msg`. */
const form = Type.Object({}, { additionalProperties: true })

export const subscribeToNewsletter = endpoint({
  method: 'POST',
  path: '/api/subscribe',
  access: 'public',
  limit: limits.forms,
  body: form,
  response: Done,
})
export const sendContactMessage = endpoint({
  method: 'POST',
  path: '/api/contact',
  access: 'public',
  limit: limits.forms,
  body: form,
  response: Type.Object({ success: Type.Literal(true), message: Type.String() }),
})
export const confirmSubscription = endpoint({
  method: 'POST',
  path: '/api/subscribe/confirm',
  access: 'public',
  body: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  response: Done,
})
