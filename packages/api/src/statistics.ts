/** Operators' endpoints for figures, one of each service that counts something, on its internal port. */
import { type Static, type TObject, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Euros, Id, Nullable } from './shapes.ts'

export type StatisticsBy = Static<typeof StatisticsBy>
export const StatisticsBy = Type.Enum(['day', 'week', 'month'])

/** A UTC day, such as `2026-11-26`. */
const Day = Type.String({ pattern: '^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' })
const Count = Type.Integer()

const description =
  'Of each UTC day, week (from Monday) or month of a range of at most 1,200 days, oldest first. Days that are over ' +
  'are stored, the present one is counted. 400 `invalid_period`.'

const request = {
  method: 'GET',
  path: '/internal/ops/statistics',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  /** `by`: `day` when absent. */
  query: Type.Object({ from: Day, to: Day, by: Type.Optional(StatisticsBy) }),
} as const

const periodsOf = <Figures extends TObject['properties']>(figures: Figures) =>
  Type.Object({ periods: Type.Array(Type.Object({ from: Day, to: Day, ...figures })) })

export const getSalesStatistics = endpoint({
  summary: 'Returns figures of orders, money and deliveries',
  description,
  ...request,
  response: periodsOf({
    ordersStarted: Count,
    /** The card was authorised. */
    ordersPaid: Count,
    /** Something was captured. */
    ordersCompleted: Count,
    worksSold: Count,
    /** What cards were charged. */
    gross: Euros,
    commission: Euros,
    royalties: Euros,
    refunds: Count,
    /** Less those that failed later. */
    refunded: Euros,
    disputes: Count,
    /** Less what came back from disputes that were won. */
    disputed: Euros,
    /** From the authorisation to the final delivery; null without deliveries. */
    deliveryMinutes: Nullable(Type.Object({ median: Count, p95: Count })),
  }),
})

export const getAccountStatistics = endpoint({
  summary: 'Returns figures of accounts',
  description,
  ...request,
  response: periodsOf({ created: Count, confirmed: Count, deleted: Count }),
})

const Sold = { sold: Count, turnover: Euros }

export const getMarketStatistics = endpoint({
  summary: 'Returns figures of works',
  description: `${description} Of artists the 20 with the highest turnover.`,
  ...request,
  response: periodsOf({
    minted: Count,
    listed: Count,
    ...Sold,
    categories: Type.Array(Type.Object({ category: Type.String(), ...Sold })),
    /** `upTo`: the highest price of the band in euros; null for the one without. */
    priceBands: Type.Array(Type.Object({ upTo: Nullable(Euros), ...Sold })),
    artists: Type.Array(Type.Object({ userId: Id, username: Nullable(Type.String()), ...Sold })),
  }),
})

export const getMailStatistics = endpoint({
  summary: 'Returns figures of mails and messages',
  description,
  ...request,
  response: periodsOf({
    mails: Count,
    /** Of these mails, until an hour after the end of their day. */
    mailsSent: Count,
    mailsFailed: Count,
    contactMessages: Count,
  }),
})
