/** What every service answers to operators about events that it could not deal with: on its internal port. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, IsoDate, Nullable, operatorAction } from './shapes.ts'

export type RetryMessage = Static<typeof RetryMessage>
export const RetryMessage = Type.Object({
  messageId: Id,
  name: Type.String(),
  key: Type.String(),
  since: IsoDate,
  /** 0 for one that only waits behind another one of its key. */
  attempts: Type.Integer(),
  /** What its handler said last. */
  error: Nullable(Type.String()),
  /** Null once it is given up, since then nobody tries it by himself. */
  nextTryAt: Nullable(IsoDate),
  givenUpAt: Nullable(IsoDate),
})

/** `GET /internal/ops/messages`: oldest first, 500 at most; the counts are of all. */
export type Messages = Static<typeof Messages>
export const Messages = Type.Object({
  messages: Type.Array(RetryMessage),
  total: Type.Integer(),
  givenUp: Type.Integer(),
  /** What this service has said and nobody could be told yet. */
  unsent: Type.Object({ count: Type.Integer(), oldest: Nullable(IsoDate) }),
})
export const listMessages = endpoint({
  method: 'GET',
  path: '/internal/ops/messages',
  access: 'operator',
  response: Messages,
})

/**
 * `POST /internal/ops/replay`: tries messages at once, given up or not. `only` is a message's id or a key; without it,
 * all. Repeated after they were dealt with it answers 0; 404 `not_parked` for what was never parked.
 */
export type ReplayedMessages = Static<typeof ReplayedMessages>
export const ReplayedMessages = Type.Object({ messages: Type.Integer() })
export const replayMessages = endpoint({
  method: 'POST',
  path: '/internal/ops/replay',
  access: 'operator',
  body: Type.Object({
    only: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    ...operatorAction,
  }),
  response: ReplayedMessages,
})
