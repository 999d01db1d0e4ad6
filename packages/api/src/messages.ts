/** Operators' endpoints for outbox and retry queue; every service has them on its internal port. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, IsoDate, Nullable, operatorAction, UtcTime } from './shapes.ts'

export type RetryMessage = Static<typeof RetryMessage>
export const RetryMessage = Type.Object({
  messageId: Id,
  name: Type.String(),
  key: Type.String(),
  since: IsoDate,
  /** 0 for a message that only waits behind another one with its key. */
  attempts: Type.Integer(),
  /** Error of the last attempt. */
  error: Nullable(Type.String()),
  /** Null for a dead letter, which is not retried automatically. */
  nextAttemptAt: Nullable(IsoDate),
  deadLetteredAt: Nullable(IsoDate),
  /** True for a dead letter of an unknown version: a release with that version retries it automatically. */
  unknownVersion: Type.Boolean(),
})

/** Oldest first, at most 500 messages; the counts are of all. */
export type Messages = Static<typeof Messages>
export const Messages = Type.Object({
  messages: Type.Array(RetryMessage),
  total: Type.Integer(),
  deadLettered: Type.Integer(),
  /** Outbox events not published yet. */
  unpublished: Type.Object({ count: Type.Integer(), oldest: Nullable(IsoDate) }),
  /** True while an operator's request to publish events again is not complete. */
  republishing: Type.Boolean(),
})
export const listMessages = endpoint({
  summary: 'Lists the retry queue',
  method: 'GET',
  path: '/internal/ops/messages',
  access: 'operator',
  role: 'chain',
  confirm: 'never',
  response: Messages,
})

/**
 * Makes queued messages due at once, dead letters included. `only` is a message's id or a key; without it, all. Returns
 * 0 for messages that were handled since. Those of an unknown version are not retried, and counted apart; 404
 * `message_not_found` for an id or key that was never queued.
 */
export type ReplayedMessages = Static<typeof ReplayedMessages>
export const ReplayedMessages = Type.Object({
  messages: Type.Integer(),
  /** Absent from services of a former release, which count them in `messages`. */
  unknownVersion: Type.Optional(Type.Integer()),
})
export const replayMessages = endpoint({
  summary: 'Makes queued messages due at once',
  method: 'POST',
  path: '/internal/ops/replay',
  access: 'operator',
  role: 'chain',
  confirm: 'never',
  body: Type.Object({
    only: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    ...operatorAction,
  }),
  response: ReplayedMessages,
})

/**
 * Removes one dead letter that can never be handled: it counts as handled, so that a redelivery changes nothing. Safe
 * to repeat. 404 `message_not_found` for an id that is and was in no retry queue, 409 `not_dead_lettered` for one that
 * is still retried.
 */
export type DiscardedMessage = Static<typeof DiscardedMessage>
export const DiscardedMessage = Type.Object({
  /** Null for one that was discarded or handled before. */
  event: Nullable(Type.Object({ name: Type.String(), key: Type.String() })),
})
export const discardMessage = endpoint({
  summary: 'Removes one dead letter that can never be handled',
  method: 'POST',
  path: '/internal/ops/discard',
  access: 'operator',
  role: 'chain',
  confirm: 'always',
  body: Type.Object({ messageId: Id, ...operatorAction }),
  response: DiscardedMessage,
})

/**
 * Publishes again every event that this service has published since `since`, at most 30 days ago. Safe to repeat:
 * consumers that have handled an event ignore it. Returns the number of events; they are published in the background.
 */
export type RepublishedMessages = Static<typeof RepublishedMessages>
export const RepublishedMessages = Type.Object({ messages: Type.Integer() })
export const republishMessages = endpoint({
  summary: 'Publishes events of the outbox again',
  method: 'POST',
  path: '/internal/ops/republish',
  access: 'operator',
  role: 'chain',
  confirm: 'never',
  body: Type.Object({ since: UtcTime, ...operatorAction }),
  response: RepublishedMessages,
})
