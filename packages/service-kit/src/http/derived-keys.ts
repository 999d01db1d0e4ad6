import { createHmac } from 'node:crypto'
import type { ServiceName } from '@nifty/api/services'
import { serviceKeyVariables } from './service-keys.ts'

const derive = (internalSecret: string, purpose: string) =>
  createHmac('sha256', internalSecret).update(purpose).digest('base64url')

/** The variables with a service's keys, derived from one secret of the store. */
export const serviceKeys = (name: ServiceName, internalSecret: string): NodeJS.ProcessEnv =>
  Object.fromEntries(serviceKeyVariables(name).map((variable) => [variable, derive(internalSecret, variable)]))

export const cacheSigningKey = (internalSecret: string) => derive(internalSecret, 'CACHE_SIGNING_KEY')
