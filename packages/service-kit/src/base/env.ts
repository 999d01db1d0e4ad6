import type { Company } from '@nifty/api/gateway'
import { LINE } from '@nifty/api/store'
import { type Static, type TObject, Type } from 'typebox'
import { Value } from 'typebox/value'

/**
 * Parses environment variables by a schema and throws one error that names every invalid one. An empty variable counts
 * as unset.
 */
export function parseEnv<Schema extends TObject>(schema: Schema, env: NodeJS.ProcessEnv): Static<Schema> {
  const values = Value.Clean(schema, Value.Default(schema, parseValues(schema, env)))
  const wrong = Value.Errors(schema, values)
  if (wrong.length > 0) {
    const lines = wrong.map(({ instancePath, message }) => `  ${instancePath.slice(1)} ${message}`)
    throw new Error(`Invalid environment:\n${lines.join('\n')}`)
  }
  return Object.freeze(values) as Static<Schema>
}

/** Parses decimal numbers, `true` and `false` only; any other text stays a string, which the schema then refuses. */
function parseValues(schema: TObject, env: NodeJS.ProcessEnv) {
  const given = Object.entries(env).filter(([, value]) => value)
  return Object.fromEntries(
    given.map(([name, text = '']) => {
      const { type } = (schema.properties[name] ?? {}) as { type?: string }
      if ((type === 'number' || type === 'integer') && /^-?\d+(\.\d+)?$/.test(text)) return [name, Number(text)]
      if (type === 'boolean' && /^(true|false)$/.test(text)) return [name, text === 'true']
      return [name, text]
    }),
  )
}

// Settings that several services read: one default and one check for all of them.

/** `PUBLIC_URL`: scheme, host and port of the store as browsers see it. Read it with `withoutTrailingSlash`. */
export const PublicUrl = Type.String({ default: 'http://localhost:8080', pattern: '^https?://[^/?#]+/*$' })

export const withoutTrailingSlash = (url: string) => url.replace(/\/+$/, '')

/** Values of one secret, comma-separated, each of at least 32 characters. Read them with `keysOf`. */
export const KeysSetting = Type.String({ pattern: '^[^,]{32,}(,[^,]{32,})*$' })

/** `MAIL_TOKEN_KEY`: services encrypt the tokens of mailed links with it, notification decrypts them. */
export const MailTokenKey = KeysSetting

/** `RATE_LIMIT_FACTOR`: multiplies every limit; see `rateLimit`. */
export const RateLimitFactor = Type.Number({ default: 1, exclusiveMinimum: 0 })

/** A limit times the factor, rounded up, so that no factor turns a limit into "never". */
export const rateLimit = (count: number, factor: number) => Math.ceil(count * factor)

/** `BRANDING_DIR`: folder with the shop's logo, icons and theme. */
export const BrandingDir = Type.String({ minLength: 1 })

/** `CONTENT_DIR`: folder with the shop's texts. */
export const ContentDir = Type.String({ minLength: 1 })

/** `CUSTODY_HOLD_HOURS`: from the capture of a work that was bought into custody until it can be withdrawn. */
export const CustodyHoldHours = Type.Number({ default: 0, minimum: 0, maximum: 720 })

/** `COMMISSION_PERCENT`: the platform's share of a sale. */
export const CommissionPercent = Type.Number({ default: 10, minimum: 0, maximum: 50 })

/** `OFFERS`: whether buyers can make offers. Those that are open are decided without it. */
export const Offers = Type.Boolean({ default: true })

/** `AUCTIONS`: whether auctions and bids can begin. Auctions that are open are decided without it. */
export const Auctions = Type.Boolean({ default: true })

/** `CHAIN_ID`: 137 is Polygon; the default is the local chain. */
export const ChainId = Type.Integer({ default: 31337, minimum: 1 })

/** An Ethereum address; its checksum is checked where the address is used. */
export const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })

/** `…_INTERNAL_URL` and `…_URL`: address of a service. */
export const ServiceUrl = Type.String({ pattern: '^https?://[^/?#]+$' })

/** Who runs a store that names no company: there is none of this name. */
const inventedCompanyOf = (storeName: string) => ({
  name: `${storeName} Digital Art Ltd`,
  number: '00000000',
  address: '1 Gallery Walk; London, United Kingdom',
  email: `hello@${storeName.toLowerCase().replace(/[^a-z0-9]/g, '') || 'store'}.example`,
})

/** That of a store which has no name of its own either. A live key is refused with it. */
export const inventedCompany = inventedCompanyOf('Nifty')

/** `COMPANY_…`: who runs the store, for pages and mails. Read them with `companyOf`. */
export const companySettings = {
  name: Type.Optional(Type.String({ pattern: LINE })),
  number: Type.String({ default: inventedCompany.number, pattern: LINE }),
  /** Where it is registered, as a sentence without a full stop. */
  register: Type.String({ default: 'Registered in England and Wales', pattern: LINE }),
  /** Lines of the postal address, separated by semicolons. */
  address: Type.String({ default: inventedCompany.address, pattern: LINE }),
  email: Type.Optional(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$' })),
}

type CompanyVariables = Record<'STORE_NAME' | 'COMPANY_NUMBER' | 'COMPANY_REGISTER' | 'COMPANY_ADDRESS', string> &
  Partial<Record<'COMPANY_NAME' | 'COMPANY_EMAIL', string>>

export const companyOf = (values: CompanyVariables): Company => ({
  name: values.COMPANY_NAME ?? inventedCompanyOf(values.STORE_NAME).name,
  number: values.COMPANY_NUMBER,
  register: values.COMPANY_REGISTER,
  address: values.COMPANY_ADDRESS.split(';').map((line) => line.trim()),
  email: values.COMPANY_EMAIL ?? inventedCompanyOf(values.STORE_NAME).email,
})
