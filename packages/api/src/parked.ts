/** What every service answers to operators about events that it could not deal with: on its internal port. */
import { type Static, Type } from 'typebox'
import { responses } from './problem.ts'
import { Id, IsoDate } from './shapes.ts'

const Nullable = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) => Type.Union([schema, Type.Null()])

export type ParkedMessage = Static<typeof ParkedMessage>
export const ParkedMessage = Type.Object({
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

/** `GET /internal/ops/parked`: oldest first, 500 at most; the counts are of all. */
export type Parked = Static<typeof Parked>
export const Parked = Type.Object({
  messages: Type.Array(ParkedMessage),
  total: Type.Integer(),
  givenUp: Type.Integer(),
  /** What this service has said and nobody could be told yet. */
  unsent: Type.Object({ count: Type.Integer(), oldest: Nullable(IsoDate) }),
})
export const parked = { response: responses({ 200: Parked }) }

/**
 * `POST /internal/ops/replay`: tries messages at once, given up or not. `only` is a message's id or a key; without it,
 * all. Repeated after they were dealt with it answers 0; 404 `not_parked` for what was never parked.
 */
export type Replayed = Static<typeof Replayed>
export const Replayed = Type.Object({ messages: Type.Integer() })
export const replay = {
  body: Type.Object({
    only: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    who: Type.String({ minLength: 1, maxLength: 200 }),
    why: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  response: responses({ 200: Replayed }),
}
