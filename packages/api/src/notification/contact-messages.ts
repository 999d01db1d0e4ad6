/** Operators' endpoints for messages of the contact page, on the internal port of notification. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, IsoDate, Nullable, operatorAction } from '../shapes.ts'

/** At most this many in one response. */
export const CONTACT_MESSAGES_PAGE = 50

export type ContactState = Static<typeof ContactState>
export const ContactState = Type.Enum(['open', 'answered', 'closed', 'spam'])

/** What a visitor wrote is plain text: names and texts may contain HTML, which is shown as text. */
export type ContactMessage = Static<typeof ContactMessage>
export const ContactMessage = Type.Object({
  _id: Id,
  name: Type.String(),
  email: Type.String(),
  subject: Type.String(),
  at: IsoDate,
  state: ContactState,
  /** Name of an operator. */
  assignedTo: Nullable(Type.String()),
  answeredAt: Nullable(IsoDate),
  answeredBy: Nullable(Type.String()),
})

const operatorName = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })

export const searchContactMessages = endpoint({
  summary: 'Lists messages of the contact page',
  description: 'Those that match every given filter, newest first, and how many there are in each state.',
  method: 'POST',
  path: '/internal/ops/contact-messages/search',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  body: Type.Object({
    state: Type.Optional(ContactState),
    assignedTo: Type.Optional(operatorName),
    /** The sender's address, in any case. */
    email: Type.Optional(Type.String({ maxLength: 254 })),
    /** `next` of the page before. */
    after: Type.Optional(Id),
  }),
  response: Type.Object({
    messages: Type.Array(ContactMessage),
    next: Nullable(Id),
    counts: Type.Object({
      open: Type.Integer(),
      answered: Type.Integer(),
      closed: Type.Integer(),
      spam: Type.Integer(),
    }),
  }),
})

/** A message with its text and its answers, oldest first. */
export type ContactThread = Static<typeof ContactThread>
export const ContactThread = Type.Object({
  ...ContactMessage.properties,
  message: Type.String(),
  answers: Type.Array(
    Type.Object({
      _id: Id,
      operator: Type.String(),
      text: Type.String(),
      at: IsoDate,
      /** When the mail server took the mail; null while it waits and after it was given up. */
      sentAt: Nullable(IsoDate),
      /** When the mail was given up. */
      failedAt: Nullable(IsoDate),
    }),
  ),
})

const params = Type.Object({ id: Id })

export const getContactMessage = endpoint({
  summary: 'Returns a message of the contact page with its answers',
  description: '404 `contact_message_not_found`.',
  method: 'GET',
  path: '/internal/ops/contact-messages/:id',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  params,
  response: ContactThread,
})

export const assignContactMessage = endpoint({
  summary: 'Assigns a message of the contact page to an operator',
  description: 'To nobody with null. Idempotent. 404 `contact_message_not_found`.',
  method: 'POST',
  path: '/internal/ops/contact-messages/:id/assignment',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  params,
  body: Type.Object({ assignedTo: Nullable(operatorName), ...operatorAction }),
  response: ContactThread,
})

export const answerContactMessage = endpoint({
  summary: 'Answers a message of the contact page by mail',
  description:
    "In the thread of the message, as text; replies go to the store's operator. The caller chooses `answerId`: a " +
    'repeated one sends nothing again. 404 `contact_message_not_found`; 409 `contact_message_closed` with the present ' +
    'state in `details`, `answer_exists` for an id of another answer.',
  method: 'POST',
  path: '/internal/ops/contact-messages/:id/answers',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  params,
  body: Type.Object({
    answerId: Id,
    text: Type.String({ minLength: 1, maxLength: 5_000, pattern: '\\S' }),
    ...operatorAction,
  }),
  response: ContactThread,
})

export const setContactMessageState = endpoint({
  summary: 'Closes a message of the contact page, marks it as spam, or opens it again',
  description: 'Idempotent. 404 `contact_message_not_found`.',
  method: 'POST',
  path: '/internal/ops/contact-messages/:id/state',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  params,
  body: Type.Object({ state: Type.Enum(['open', 'closed', 'spam']), ...operatorAction }),
  response: ContactThread,
})
