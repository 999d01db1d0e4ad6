import type { FastifyInstance } from 'fastify'

/** How long an app keeps a connection that nobody uses. Callers are told, and let go of it two seconds earlier. */
export const KEEP_ALIVE_MS = 5_000

/**
 * Lets an app that is told to close answer on until `pause` is over, since those who balance hear only by and by that
 * it leaves. Every answer of that time ends its connection, so that nobody writes to one that is about to be closed.
 * To be called before the app is ready; the function that is returned says whether the app is leaving.
 */
export function drainOnClose(app: FastifyInstance<any, any, any, any, any>, pause: () => Promise<unknown>) {
  let leaving = false
  app.addHook('preClose', async () => {
    leaving = true
    await pause()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (leaving) reply.header('connection', 'close')
  })
  return () => leaving
}
