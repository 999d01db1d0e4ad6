import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { type ServiceName, serviceKeysVariable, servicesCalledBy, servicesCalling } from '@nifty/api/services'
import { Type } from 'typebox'
import { parseEnv } from '../base/env.ts'
import type { Credential } from './client.ts'

const KEY_HEADER = 'x-internal-key'

/** Keys between services: each caller has one for each service that it calls. */
export type ServiceKeys = {
  /** With which this service calls others. */
  calls: Partial<Record<ServiceName, string>>
  /** With which others call this service; two of a caller while its key is rotated. */
  callers: Partial<Record<ServiceName, readonly string[]>>
}

export const serviceCredential =
  (key: string): Credential =>
  () => ({ [KEY_HEADER]: key })

/** Whether the request has a key of one of these callers. */
export function hasKeyOf(
  callers: readonly ServiceName[],
  keys: ServiceKeys['callers'],
  headers: Record<string, unknown>,
): boolean {
  const sent = digest(String(headers[KEY_HEADER] ?? ''))
  return callers.some((caller) => keys[caller]?.some((key) => timingSafeEqual(digest(key), sent)))
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** One key, or two while it is rotated. */
const Keys = Type.String({ pattern: '^[^,\\s]{16,}(,[^,\\s]{16,})?$' })

/**
 * Reads `PAYMENTS_TO_AUTH_KEYS` and its like, for each service that this one calls and each that calls it. The caller
 * sends the first key; the other side accepts both.
 */
export function readServiceKeys(name: ServiceName, env: NodeJS.ProcessEnv): ServiceKeys {
  const variables = serviceKeyVariables(name)
  const values = parseEnv(
    Type.Object(Object.fromEntries(variables.map((variable) => [variable, Keys]))),
    env,
  ) as Record<string, string>
  const keysOf = (caller: ServiceName, called: ServiceName) => values[serviceKeysVariable(caller, called)]!.split(',')
  return {
    calls: Object.fromEntries(servicesCalledBy(name).map((peer) => [peer, keysOf(name, peer)[0]!])),
    callers: Object.fromEntries(servicesCalling(name).map((peer) => [peer, keysOf(peer, name)])),
  }
}

/** Names of the variables that `readServiceKeys` reads. */
export const serviceKeyVariables = (name: ServiceName): string[] => [
  ...servicesCalledBy(name).map((peer) => serviceKeysVariable(name, peer)),
  ...servicesCalling(name).map((peer) => serviceKeysVariable(peer, name)),
]

const derive = (internalSecret: string, purpose: string) =>
  createHmac('sha256', internalSecret).update(purpose).digest('base64url')

/** The variables with a service's keys, derived from one secret of the store. */
export const serviceKeys = (name: ServiceName, internalSecret: string): NodeJS.ProcessEnv =>
  Object.fromEntries(serviceKeyVariables(name).map((variable) => [variable, derive(internalSecret, variable)]))

export const cacheSigningKey = (internalSecret: string) => derive(internalSecret, 'CACHE_SIGNING_KEY')
