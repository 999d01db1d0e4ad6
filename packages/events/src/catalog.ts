import { Type } from 'typebox'
import { defineEvent } from './define-event.ts'
import { At, Cents, Id, Token } from './shapes.ts'

export const itemListed = defineEvent({
  name: 'catalog.item-listed.v1',
  key: 'itemId',
  consumers: ['minting'],
  data: Type.Object({
    itemId: Id,
    token: Token,
    sellerId: Id,
    priceCents: Cents,
    listingVersion: Type.Integer(),
    at: At,
  }),
})

export const itemDelisted = defineEvent({
  name: 'catalog.item-delisted.v1',
  key: 'itemId',
  consumers: ['minting'],
  data: Type.Object({
    itemId: Id,
    token: Token,
    /** `undeliverable`: the chain refuses its delivery; `account`: the owner may no longer sell; `operator`: hidden. */
    reason: Type.Union([
      Type.Literal('owner'),
      Type.Literal('sold'),
      Type.Literal('undeliverable'),
      Type.Literal('account'),
      Type.Literal('operator'),
    ]),
    at: At,
  }),
})

/** The seller delists a reserved item. Applied only if payments can still expire the open session. */
export const delistRequested = defineEvent({
  name: 'catalog.delist-requested.v1',
  key: 'itemId',
  consumers: ['payments'],
  data: Type.Object({ itemId: Id, orderId: Id, at: At }),
})
