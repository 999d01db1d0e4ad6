import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'

/**
 * Whether the processor's page may remember cards of the caller. `kept`: a page was opened, on which cards can be
 * saved. `after_payment`: they are deleted once no payment page is open and no card is held. `forgetting`: they are
 * being deleted. `none`: no page was opened since they were deleted, or ever.
 */
export const cardStates = ['none', 'kept', 'after_payment', 'forgetting'] as const

export type RememberedCards = Static<typeof RememberedCards>
export const RememberedCards = Type.Object({ state: Type.Enum(cardStates) })

export const getRememberedCards = endpoint({
  summary: 'Returns whether the payment page may remember cards of the caller',
  method: 'GET',
  path: '/api/payments/cards',
  access: 'account',
  response: RememberedCards,
})

export const forgetCards = endpoint({
  summary: "Deletes the caller's cards at the processor",
  description: 'Idempotent. Repeated by the store until it is done; `state` has how far it is.',
  method: 'DELETE',
  path: '/api/payments/cards',
  access: 'account',
  response: RememberedCards,
})
