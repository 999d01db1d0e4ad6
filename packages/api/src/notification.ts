import { Type } from 'typebox'
import { responses } from './problem.ts'
import { Done } from './shapes.ts'

/** Fields stay unknown here: each wrong one gets its own `errors[].msg`. */
const form = Type.Object({}, { additionalProperties: true })

export const subscribe = { body: form, response: responses({ 200: Done }) }
export const contact = {
  body: form,
  response: responses({ 200: Type.Object({ success: Type.Literal(true), message: Type.String() }) }),
}
export const confirmSubscription = {
  body: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  response: responses({ 200: Done }),
}
