import { type TSchema, Type } from 'typebox'
import { priceRange } from './price.ts'

export const Id = Type.String({ format: 'uuid' })

/** An amount on the wire: euros as a JSON number with at most two decimals. Inside it is integer cents. */
export const Euros = Type.Number()

/** For the OpenAPI document: a price as the rules have it (`toCents`). */
export const Price = Type.Number({ minimum: priceRange.min, maximum: priceRange.max, multipleOf: 0.01 })

/** For the OpenAPI document: an address as a mail server reads it, without name, list or quotes. */
export const EmailAddress = Type.String({ maxLength: 254, pattern: '^[^\\s@,;"<>]+@[^\\s@,;"<>]+\\.[^\\s@,;"<>]+$' })

/** 0x-prefixed; of a contract wallet (ERC-1271) up to 8 kB. */
export const WalletSignature = Type.String({ maxLength: 2 + 2 * 8_192 })

/** A file of a multipart form, in the OpenAPI document. */
export const File = Type.String({ format: 'binary' })

/** Integer cents, between services; the public API has euros. */
export const Cents = Type.Integer({ minimum: 0 })

/** ISO 8601, UTC. */
export const IsoDate = Type.String()

/** In a request: ISO 8601 in UTC, which every engine parses, to the millisecond at most. */
export const UtcTime = Type.String({
  pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,3})?Z$',
})

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const Done = Type.Object({ success: Type.Literal(true), message: Type.Optional(Type.String()) })

export const toEuros = (cents: number) => cents / 100

/** Cents of an amount, or null when it is not a price: 0.50 to 999999.99 with at most two decimals. */
export function toCents(euros: unknown): number | null {
  if (typeof euros !== 'number' || !Number.isFinite(euros)) return null
  const cents = Math.round(euros * 100)
  // The shortest decimal of the number must have at most two places: 0.30000000000000004 is not 0.30.
  if (cents / 100 !== euros || cents < 50 || cents > 99_999_999) return null
  return cents
}

/** Who acknowledged an alarm or a difference, why, and until when; null: until it changes. */
export const Acknowledgement = Type.Object({
  by: Type.String(),
  reason: Type.String(),
  at: IsoDate,
  until: Nullable(IsoDate),
})

/** Field of an acknowledgement: it ends then, if not before. */
export const acknowledgedUntil = { until: Type.Optional(UtcTime) }

/**
 * Field of every operator's action; stored in the audit log of the service, with the operator who signed the request.
 */
export const operatorAction = {
  reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
}
