import type { Redis } from 'ioredis'

/** Whether Redis answers a command in time: one that hangs keeps its connections. */
export const answers = (redis: Redis): Promise<boolean> =>
  redis.ping().then(
    () => true,
    () => false,
  )
