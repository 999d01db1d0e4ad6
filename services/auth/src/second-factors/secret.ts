import { seal, unseal } from '@nifty/service-kit/base/secrets'
import type { Config } from '../config.ts'
import { secondFactorUnavailable } from './second-factor.ts'

type KeyConfig = Pick<Config, 'secondFactorKey'>

export const sealSecret = (secret: string, { secondFactorKey }: KeyConfig) => seal(secret, secondFactorKey)

/** The secret of an app. Throws 503 `second_factor_unavailable` when it was stored with another SECOND_FACTOR_KEY. */
export function openSecret(sealed: string, { secondFactorKey }: KeyConfig): string {
  try {
    return unseal(sealed, secondFactorKey)
  } catch (cause) {
    throw secondFactorUnavailable(cause)
  }
}

export function isReadable(sealed: string, config: KeyConfig): boolean {
  try {
    openSecret(sealed, config)
    return true
  } catch {
    return false
  }
}
