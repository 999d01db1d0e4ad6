import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { Done, EmailAddress } from '../shapes.ts'

/** Fields stay unknown here: each wrong one gets its own `errors[].msg`. */
const form = Type.Object({}, { additionalProperties: true })

const words = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '\\S' })

export const subscribeToNewsletter = endpoint({
  summary: 'Subscribes an address to the newsletter',
  description: 'Once it is confirmed by the link of a mail.',
  method: 'POST',
  path: '/api/subscribe',
  access: 'public',
  limit: limits.forms,
  body: form,
  documented: { body: Type.Object({ email: EmailAddress }) },
  response: Done,
})
export const sendContactMessage = endpoint({
  summary: 'Sends a message to the store',
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
  summary: 'Confirms a subscription with the token of its mail',
  method: 'POST',
  path: '/api/subscribe/confirm',
  access: 'public',
  limit: limits.reset,
  body: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  response: Done,
})

/** What an unsubscribe link ends: the newsletter, or the mails of one notification flag of an account. */
export type MailList = Static<typeof MailList>
export const MailList = Type.Union([
  Type.Literal('newsletter'),
  Type.Literal('companyNews'),
  Type.Literal('message'),
  Type.Literal('follow'),
  Type.Literal('salePromotion'),
])

export const unsubscribe = endpoint({
  summary: 'Ends the mails of a list, with the token of a mail',
  description: 'Idempotent. 400 `invalid_link`.',
  method: 'POST',
  path: '/api/subscribe/unsubscribe',
  access: 'public',
  limit: limits.reset,
  body: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  response: Type.Object({ success: Type.Literal(true), list: MailList }),
})

const tokenInUrl = Type.Object({ token: Type.String({ maxLength: 200 }) })

export const unsubscribeOneClick = endpoint({
  summary: 'Ends the mails of a list, for mail programs',
  description:
    'The address in the header `List-Unsubscribe` of a mail (RFC 8058), whose form `List-Unsubscribe=One-Click` a ' +
    'mail program posts.',
  method: 'POST',
  path: '/api/subscribe/one-click',
  access: 'public',
  query: tokenInUrl,
  response: Done,
  hidden: true,
})

export const openOneClick = endpoint({
  summary: 'Redirects a reader to the page that unsubscribes',
  description: 'For readers whose mail program opens the address of `unsubscribeOneClick`; changes nothing.',
  method: 'GET',
  path: '/api/subscribe/one-click',
  access: 'public',
  query: tokenInUrl,
  hidden: true,
})
