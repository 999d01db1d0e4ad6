import type { FastifyInstance } from 'fastify'

/** Keep-alive of idle connections; clients close them a second earlier (`Keep-Alive` header). */
export const KEEP_ALIVE_MS = 5_000

/**
 * Keeps serving during the drain period: load balancers notice a shutdown with a delay. Responses of that time close
 * their connection, so that no client writes to a connection that is about to be closed. Call it before the app is
 * ready. Returns a function that is true while the app drains.
 */
export function drainOnClose(app: FastifyInstance<any, any, any, any, any>, pause: () => Promise<unknown>) {
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
    await pause()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close')
  })
  return () => draining
}
