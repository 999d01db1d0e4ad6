import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Done, EmailAddress } from '../shapes.ts'

/** Fields stay unknown here: each wrong one gets its own `errors[].msg`. */
const form = Type.Object({}, { additionalProperties: true })

const words = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

export const subscribeToNewsletter = endpoint({
  method: 'POST',
  path: '/api/subscribe',
  access: 'public',
  limit: limits.forms,
  body: form,
  documented: { body: Type.Object({ email: EmailAddress }) },
  response: Done,
})
export const sendContactMessage = endpoint({
  method: 'POST',
  path: '/api/contact',
  access: 'public',
  limit: limits.forms,
  body: form,
  documented: {
    body: Type.Object({
      name: words(80),
      email: EmailAddress,
      subject: words(200),
      message: words(5_000),
    }),
  },
  response: Type.Object({ success: Type.Literal(true), message: Type.String() }),
})
export const confirmSubscription = endpoint({
  method: 'POST',
  path: '/api/subscribe/confirm',
  access: 'public',
  body: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  response: Done,
})
