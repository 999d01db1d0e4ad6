import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Done, IsoDate, Nullable } from '../shapes.ts'

/** Bounds of an application; lengths in characters. */
export const applicationLimits = { links: 5, linkLength: 300, messageMin: 20, messageMax: 2_000 } as const

export type SellerApplication = Static<typeof SellerApplication>
export const SellerApplication = Type.Object({
  links: Type.Array(Type.String()),
  message: Type.String(),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('granted'), Type.Literal('declined')]),
  /** What the store wrote; empty where nothing. */
  answer: Type.String(),
  createdAt: IsoDate,
  answeredAt: Nullable(IsoDate),
  /** From when on another one can be sent; null while this one waits, and for accounts that may sell. */
  againFrom: Nullable(IsoDate),
})

const path = '/api/seller-application'

export const getSellerApplication = endpoint({
  summary: "Returns the caller's newest application to sell",
  method: 'GET',
  path,
  access: 'account',
  response: Type.Object({ application: Nullable(SellerApplication) }),
})

export const applyToSell = endpoint({
  summary: 'Applies for the right to mint and sell',
  description:
    '400 `invalid_application` with `errors` for `links` and `message`; 403 `email_not_confirmed`, because the ' +
    'answer is mailed; 409 `may_sell_already`, `application_waits`, or `application_too_early` with ' +
    '`details.againFrom` after one that was declined; 429 beyond three a day.',
  method: 'POST',
  path,
  access: 'account',
  body: Type.Object({
    /** https URLs of works or a portfolio. */
    links: Type.Array(Type.String({ maxLength: 400 }), { maxItems: applicationLimits.links }),
    message: Type.String({ maxLength: 4_000 }),
  }),
  response: Type.Object({ success: Type.Literal(true), application: SellerApplication }),
})

export const withdrawSellerApplication = endpoint({
  summary: 'Takes back the application that waits',
  description: 'Idempotent.',
  method: 'DELETE',
  path,
  access: 'account',
  response: Done,
})
