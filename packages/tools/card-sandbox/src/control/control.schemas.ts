import { Type } from 'typebox'

const strict = { additionalProperties: false }
const maxTimes = 1_000_000_000

export const payBody = Type.Object(
  {
    card: Type.String({ pattern: '^[0-9 ]{12,25}$' }),
    email: Type.Optional(Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$', maxLength: 254 })),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    save: Type.Optional(Type.Boolean()),
  },
  strict,
)

export const authenticateBody = Type.Object({ outcome: Type.Enum(['complete', 'fail']) }, strict)

/** Milliseconds, at most ten years per call. */
export const clockBody = Type.Object({ advanceMs: Type.Integer({ minimum: 0, maximum: 315_360_000_000 }) }, strict)

const common = {
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: maxTimes })),
  chance: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  seed: Type.Optional(Type.Integer()),
}

const requestFaultBody = Type.Object(
  {
    ...common,
    request: Type.String({ minLength: 1, maxLength: 200, pattern: '^(\\*|[A-Z*]+ /\\S*)$' }),
    mode: Type.Enum([
      'timeout_before',
      'timeout_after',
      'error_before',
      'error_after',
      'rate_limit',
      'forbidden',
      'slow',
    ]),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    stored: Type.Optional(Type.Boolean()),
  },
  strict,
)

const webhookFaultBody = Type.Object(
  {
    ...common,
    webhook: Type.String({ minLength: 1, maxLength: 100 }),
    mode: Type.Enum(['lose', 'repeat', 'delay', 'reorder', 'stale', 'forge']),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 315_360_000_000 })),
    copies: Type.Optional(Type.Integer({ minimum: 2, maximum: 20 })),
    window: Type.Optional(Type.Integer({ minimum: 2, maximum: 100 })),
  },
  strict,
)

/** Either kind of fault; omitted fields have defaults. */
export const faultBody = Type.Union([requestFaultBody, webhookFaultBody])

/** All API keys that are accepted from now on. */
export const keysBody = Type.Object(
  { keys: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 5 }) },
  strict,
)

export const webhookBody = Type.Object(
  {
    url: Type.Optional(Type.String({ pattern: '^https?://' })),
    secret: Type.Optional(Type.String({ minLength: 1 })),
    secrets: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 5 })),
  },
  strict,
)

const chargeOrIntent = {
  charge: Type.Optional(Type.String()),
  payment_intent: Type.Optional(Type.String()),
}

export const disputeBody = Type.Object(
  {
    ...chargeOrIntent,
    reason: Type.Enum(['fraudulent', 'product_not_received', 'duplicate', 'general'], { default: 'fraudulent' }),
    /** Cents. */
    amount: Type.Optional(Type.Integer({ minimum: 1 })),
    inquiry: Type.Optional(Type.Boolean()),
  },
  strict,
)

export const closeDisputeBody = Type.Object({ outcome: Type.Enum(['won', 'lost', 'closed']) }, strict)

export const fraudWarningBody = Type.Object(chargeOrIntent, strict)
