import { createHash } from 'node:crypto'
import { readEndpoint } from '../api/endpoint.ts'
import { list, text } from '../api/parameter.ts'

/** The account of the API key: each secret key of the sandbox is of an account of its own. */
export const accountEndpoints = (secretKey: string) => [
  readEndpoint('/v1/account', { expand: list(text()) }, () => ({
    id: `acct_${createHash('sha256').update(secretKey).digest('hex').slice(0, 16)}`,
    object: 'account',
    charges_enabled: true,
    country: 'DE',
    default_currency: 'eur',
    details_submitted: true,
    payouts_enabled: true,
    type: 'standard',
  })),
]
