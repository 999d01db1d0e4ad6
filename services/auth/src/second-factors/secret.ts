import { sealStored, unsealStored } from '@nifty/service-kit/base/secrets'
import type { StoredSecrets } from '@nifty/service-kit/database/stored-secrets'
import type { Config } from '../config.ts'
import { secondFactorUnavailable } from './second-factor.ts'

type KeyConfig = Pick<Config, 'secondFactorKeys'>

export const totpSecrets: StoredSecrets = { table: 'totp', owner: 'accountId', text: 'secret' }

type Totp = { accountId: string; secret: string }

export const sealSecret = ({ accountId, secret }: Totp, { secondFactorKeys }: KeyConfig) =>
  sealStored(secret, secondFactorKeys, accountId)

/**
 * The secret of an app. Throws 503 `second_factor_unavailable` when it was stored with a key that is not set, or for
 * another account.
 */
export function openSecret({ accountId, secret }: Totp, { secondFactorKeys }: KeyConfig): string {
  try {
    return unsealStored(secret, secondFactorKeys, accountId)
  } catch (cause) {
    throw secondFactorUnavailable(cause)
  }
}

export function isReadable(totp: Totp, config: KeyConfig): boolean {
  try {
    openSecret(totp, config)
    return true
  } catch {
    return false
  }
}
