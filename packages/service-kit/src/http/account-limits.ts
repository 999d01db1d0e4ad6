import rateLimit from '@fastify/rate-limit'
import { limits } from '@nifty/api/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { rateLimit as scaled } from '../base/env.ts'
import { tooMany } from '../base/errors.ts'
import { callerOf } from './routes.ts'

const WINDOW_MS = 60_000

const limitOf = ({ routeOptions: { config } }: FastifyRequest) => config.endpoint?.limit ?? limits.api

/**
 * Counts requests by account and limit in this process, so that an account with many addresses is limited too; the
 * gateway counts by address. Returns a function that throws 429 for an authenticated request beyond the limit.
 */
export function limitAccounts(app: FastifyInstance<any, any, any, any, any>, factor: number) {
  let count: ReturnType<FastifyInstance['createRateLimit']> | undefined
  app.register(rateLimit, { global: false })
  app.addHook('onReady', async () => {
    count = app.createRateLimit({
      timeWindow: WINDOW_MS,
      keyGenerator: (request) => `${limitOf(request).name} ${callerOf(request).userId}`,
      max: (request) => scaled(limitOf(request).perMinute, factor),
    })
  })
  return async (request: FastifyRequest) => {
    const result = await count?.(request)
    if (result && !result.isAllowed && result.isExceeded) throw tooMany(result.ttl / 1_000)
  }
}
