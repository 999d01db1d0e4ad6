import { Type } from 'typebox'

const Count = Type.Integer({ minimum: 1 })
export const documentedPaging = Type.Object({ page: Type.Optional(Count), limit: Type.Optional(Count) })
/** As text: the services read it, so that a wrong value gets its own message. */
export const paging = Type.Object({ page: Type.Optional(Type.String()), limit: Type.Optional(Type.String()) })

export const Page = Type.Object({
  /** Exact up to 10,000, or 500 hits of a search, and capped there. */
  total: Type.Integer(),
  page: Type.Integer(),
  limit: Type.Integer(),
})
