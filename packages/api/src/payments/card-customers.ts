/** What operators do about the cards that the processor's page remembers. */
import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, operatorAction } from '../shapes.ts'
import { RememberedCards } from './cards.ts'

const byAccount = Type.Object({ id: Id })

export const getCardsOfAccount = endpoint({
  summary: 'Returns whether the payment page may remember cards of an account',
  description: 'Nothing of a card is stored here.',
  method: 'GET',
  path: '/internal/ops/accounts/:id/cards',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  params: byAccount,
  response: RememberedCards,
})

export const forgetCardsOfAccount = endpoint({
  summary: 'Deletes the cards of an account at the processor, as its owner can in the settings',
  description: 'Idempotent. Repeated by the store until it is done; `state` has how far it is.',
  method: 'POST',
  path: '/internal/ops/accounts/:id/forget-cards',
  access: 'operator',
  role: 'support',
  confirm: 'always',
  params: byAccount,
  body: Type.Object({ ...operatorAction }),
  response: RememberedCards,
})
