/** Operators' endpoints for figures, one of each service that counts something, on its internal port. */
import { type Static, type TObject, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Euros, Id, Nullable } from './shapes.ts'

/** `range`: all of it as one period. */
export type StatisticsBy = Static<typeof StatisticsBy>
export const StatisticsBy = Type.Enum(['day', 'week', 'month', 'range'])

/** A UTC day, such as `2026-11-26`. */
const Day = Type.String({ pattern: '^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' })
/** A time of day in UTC, such as `14:30`. */
const Time = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
const Count = Type.Integer()

const description =
  'Of each UTC day, week (from Monday) or month of a range of at most 1,200 days, or of all of it, oldest first. Days ' +
  'that are over are stored, the present one is counted, and so is the part of a single day `until` a time of day. 400 ' +
  '`invalid_period`.'

const request = {
  method: 'GET',
  path: '/internal/ops/statistics',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  /** `by`: `day` when absent. */
  query: Type.Object({ from: Day, to: Day, by: Type.Optional(StatisticsBy), until: Type.Optional(Time) }),
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
    /** Works that accounts marked, and had not unmarked when the day was counted. */
    favourites: Count,
    ...Sold,
    categories: Type.Array(Type.Object({ category: Type.String(), ...Sold })),
    /** Prices over `over` and up to `upTo`, null for the band without a highest one. Those with sales. */
    priceBands: Type.Array(Type.Object({ over: Euros, upTo: Nullable(Euros), ...Sold })),
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
