import { type Static, Type } from 'typebox'

/** Every error of every endpoint. `code` is for programs, `message` for people; `errors` names wrong form fields. */
export type ErrorResponse = Static<typeof ErrorResponse>
export const ErrorResponse = Type.Object({
  success: Type.Literal(false),
  code: Type.String(),
  message: Type.String(),
  errors: Type.Optional(Type.Array(Type.Object({ msg: Type.String(), path: Type.String() }))),
  requestId: Type.Optional(Type.String()),
  /** Further facts that a caller can act on, such as the typed data of a missing permit. */
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

/** Response schemas of a route: the successful ones, and ErrorResponse for all errors. */
export const responses = <Good extends Record<number, unknown>>(good: Good) => ({
  ...good,
  '4xx': ErrorResponse,
  '5xx': ErrorResponse,
})
