import { readTerms } from '@nifty/content/terms'
import {
  CommissionPercent,
  ContentDir,
  PublicUrl,
  parseEnv,
  RateLimitFactor,
  rateLimit,
  withoutTrailingSlash,
} from '@nifty/service-kit/base/env'
import { ProcessorKey, refuseIncompletePayments } from '@nifty/service-kit/base/live-key'
import { Type } from 'typebox'

const Env = Type.Object({
  PUBLIC_URL: PublicUrl,
  /** The processor's secret or restricted key. */
  STRIPE_SECRET_KEY: ProcessorKey,
  /** Secret of the webhook endpoint; several, separated by commas, during a rotation. */
  STRIPE_WEBHOOK_SECRET: Type.String({ minLength: 1 }),
  /** URL of the sandbox; unset: the real processor. */
  STRIPE_API_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Whether a live key may go to another host than the processor's own. */
  ALLOW_FOREIGN_PROCESSOR: Type.Boolean({ default: false }),
  COMMISSION_PERCENT: CommissionPercent,
  CONTENT_DIR: Type.Optional(ContentDir),
  RATE_LIMIT_FACTOR: RateLimitFactor,
  /** Limits of a buyer, times `RATE_LIMIT_FACTOR`: orders that wait for their payment at once. */
  ORDERS_OPEN_PER_BUYER: Type.Integer({ default: 3, minimum: 1 }),
  /** Works that wait for their payment, of a buyer, of one without a confirmed address, and of a network. */
  WORKS_RESERVED_PER_BUYER: Type.Integer({ default: 10, minimum: 1 }),
  /** Of a buyer without a confirmed address. */
  WORKS_RESERVED_UNCONFIRMED: Type.Integer({ default: 3, minimum: 1 }),
  /** Of a network: an IPv4 address or an IPv6 /48. */
  WORKS_RESERVED_PER_NETWORK: Type.Integer({ default: 30, minimum: 1 }),
  /** Orders that a buyer starts. */
  ORDERS_STARTED_PER_HOUR: Type.Integer({ default: 10, minimum: 1 }),
  /** With those that catalog rejects, of which rows stay as well. */
  ORDERS_ATTEMPTED_PER_HOUR: Type.Integer({ default: 60, minimum: 1 }),
  /** Orders for one work. */
  ORDERS_STARTED_PER_ITEM_AND_DAY: Type.Integer({ default: 5, minimum: 1 }),
  /** Offers and bids of a buyer whose payment page is open. */
  OFFERS_OPEN_PER_BUYER: Type.Integer({ default: 3, minimum: 1 }),
  /** Offers and bids that a buyer begins. */
  OFFERS_STARTED_PER_HOUR: Type.Integer({ default: 30, minimum: 1 }),
  /** Offers and bids of a buyer whose card is held, with those whose page is open. */
  OFFERS_HELD_PER_BUYER: Type.Integer({ default: 20, minimum: 1 }),
  /** Deadline, after which the delivery is cancelled and the hold released; earlier when the hold ends before it. */
  DELIVER_WITHIN_HOURS: Type.Number({ default: 24, minimum: 0.001, maximum: 24 }),
  /** From the capture of a line until its shares may be paid out. */
  PAYOUT_HOLD_DAYS: Type.Number({ default: 14, minimum: 0, maximum: 365 }),
  /** Euros. From this total on, and from accounts younger than a week, the session asks for 3-D Secure. */
  THREE_D_SECURE_FROM: Type.Number({ default: 100, minimum: 0 }),
  /** Interval of polling an unpaid session; webhooks are faster. */
  PAYMENTS_POLL_MS: Type.Integer({ default: 30_000, minimum: 100 }),
  /**
   * Orders that one process moves on at the same time; each may wait for the processor. Polls of unpaid sessions have
   * four workers of their own.
   */
  PAYMENTS_ORDER_WORKERS: Type.Integer({ default: 16, minimum: 1, maximum: 64 }),
  /** Interval at which workers query for due orders and events; a NOTIFY reports one to them at once. */
  PAYMENTS_WORK_MS: Type.Integer({ default: 1_000, minimum: 10 }),
  /**
   * Interval of fetching events whose webhook never arrived, of looking for lost orders and reservations, and of
   * checking the account.
   */
  PAYMENTS_BACKFILL_MS: Type.Integer({ default: 600_000, minimum: 1_000 }),
  /** Interval of the reconciliation. */
  RECONCILE_EVERY_HOURS: Type.Number({ default: 24, minimum: 0.001, maximum: 720 }),
  /** Time until the worker cancels an order without a session. */
  PAYMENTS_START_MS: Type.Integer({ default: 30_000, minimum: 100 }),
})

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = parseEnv(Env, env)
  refuseIncompletePayments(env)
  const limit = (count: number) => rateLimit(count, values.RATE_LIMIT_FACTOR)
  return {
    publicUrl: withoutTrailingSlash(values.PUBLIC_URL),
    processor: { secretKey: values.STRIPE_SECRET_KEY, apiUrl: values.STRIPE_API_URL },
    webhookSecrets: values.STRIPE_WEBHOOK_SECRET.split(',')
      .map((secret) => secret.trim())
      .filter(Boolean),
    commissionBps: Math.round(values.COMMISSION_PERCENT * 100),
    terms: readTerms(values.CONTENT_DIR),
    limits: {
      openPerBuyer: limit(values.ORDERS_OPEN_PER_BUYER),
      reservedPerBuyer: limit(values.WORKS_RESERVED_PER_BUYER),
      reservedUnconfirmed: limit(values.WORKS_RESERVED_UNCONFIRMED),
      reservedPerNetwork: limit(values.WORKS_RESERVED_PER_NETWORK),
      startedPerHour: limit(values.ORDERS_STARTED_PER_HOUR),
      attemptedPerHour: limit(values.ORDERS_ATTEMPTED_PER_HOUR),
      startedPerItemAndDay: limit(values.ORDERS_STARTED_PER_ITEM_AND_DAY),
      offersOpen: limit(values.OFFERS_OPEN_PER_BUYER),
      offersStartedPerHour: limit(values.OFFERS_STARTED_PER_HOUR),
      offersHeld: limit(values.OFFERS_HELD_PER_BUYER),
      /** Two pages full: after five declines a page closes. */
      declinedPerDay: limit(10),
    },
    deliverWithinMs: values.DELIVER_WITHIN_HOURS * 3_600_000,
    payoutHoldMs: values.PAYOUT_HOLD_DAYS * 86_400_000,
    threeDSecureFromCents: Math.round(values.THREE_D_SECURE_FROM * 100),
    pollMs: values.PAYMENTS_POLL_MS,
    orderWorkers: values.PAYMENTS_ORDER_WORKERS,
    workMs: values.PAYMENTS_WORK_MS,
    backfillMs: values.PAYMENTS_BACKFILL_MS,
    startMs: values.PAYMENTS_START_MS,
    reconcileEveryMs: values.RECONCILE_EVERY_HOURS * 3_600_000,
  }
}
