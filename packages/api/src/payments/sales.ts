/** Operators' endpoint for the accountant: what was booked in a month. Amounts in euros. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Euros, Id, IsoDate, Nullable } from '../shapes.ts'

/** An entry of the books. Those with one line, cause and reversal belong together. */
export type SaleEntry = Static<typeof SaleEntry>
export const SaleEntry = Type.Object({
  at: IsoDate,
  orderId: Id,
  lineId: Id,
  buyerId: Id,
  name: Type.String(),
  token: Nullable(Type.String()),
  sellerId: Nullable(Id),
  sellerUsername: Nullable(Type.String()),
  creatorId: Nullable(Id),
  /** capture · write_off · refund · dispute · assignment. */
  cause: Type.String(),
  reversalId: Nullable(Type.String()),
  /** `sale`: the seller's share, `royalty`: the artist's, `commission` and `platform`: the store's. */
  kind: Type.Enum(['sale', 'royalty', 'commission', 'platform']),
  amount: Euros,
})

export const listSales = endpoint({
  summary: 'Lists the entries of the books of a month',
  description: 'A month in UTC, oldest first, 1,000 a page. 400 `invalid_cursor` for an `after` of another month.',
  method: 'GET',
  path: '/internal/ops/sales/:month',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  params: Type.Object({ month: Type.String({ pattern: '^20\\d\\d-(0[1-9]|1[0-2])$' }) }),
  query: Type.Object({ after: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,14}$' })) }),
  response: Type.Object({ entries: Type.Array(SaleEntry), next: Nullable(Type.String()) }),
})
