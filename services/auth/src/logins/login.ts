import { DEVICE_HEADER } from '@nifty/api/endpoint'
import { ExpectedError } from '@nifty/service-kit/errors'

export const WINDOW_S = 15 * 60
const LONGEST_DELAY_S = 60

/** Seconds of delay after so many consecutive failures: none, then 1, 2, 4 … 60. An account is never locked for good. */
export const delayAfter = (failures: number, failuresBeforeDelay: number) =>
  failures < failuresBeforeDelay ? 0 : Math.min(2 ** (failures - failuresBeforeDelay), LONGEST_DELAY_S)

/** The device id of a request's header; undefined for any text that a browser of ours does not send. */
export const deviceOf = ({ [DEVICE_HEADER]: id }: Record<string, unknown>): string | undefined =>
  typeof id === 'string' && /^[\w-]{20,64}$/.test(id) ? id : undefined

/** The session that a token just issued names. */
export const sessionIdOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sid

/** The same for an unknown address, a wrong password, and accounts that may not log in. */
export const wrongCredentials = () =>
  new ExpectedError('unauthenticated', 'invalid_credentials', 'Invalid email or password')

export const wrongPassword = () => new ExpectedError('unauthenticated', 'invalid_credentials', 'Incorrect password.')
