import { DEVICE_HEADER } from '@nifty/api/endpoint'
import { ExpectedError, invalid } from '@nifty/service-kit/base/errors'

/** How consecutive failures are counted: from `failuresBeforeDelay` on each is followed by a delay. */
export type Pace = { failuresBeforeDelay: number; longestDelayS: number; windowS: number }

export const passwordPace = (failuresBeforeDelay: number): Pace => ({
  failuresBeforeDelay,
  longestDelayS: 60,
  windowS: 15 * 60,
})

/** Slower than that of passwords: a code has six digits, and its attempts follow a right password. */
export const codePace = (failuresBeforeDelay: number): Pace => ({
  failuresBeforeDelay,
  longestDelayS: 15 * 60,
  windowS: 12 * 60 * 60,
})

/** Seconds of delay after so many consecutive failures: none, then 1, 2, 4 … An account is never locked for good. */
export const delayAfter = (failures: number, { failuresBeforeDelay, longestDelayS }: Pace) =>
  failures < failuresBeforeDelay ? 0 : Math.min(2 ** (failures - failuresBeforeDelay), longestDelayS)

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

/** The challenge is unknown, older than five minutes, or used. */
export const invalidChallenge = () =>
  invalid('invalid_challenge', 'This took too long. Please log in with your password again.')
