import type { Redis } from 'ioredis'

/** Whether Redis responds to a command in time: one that is stopped keeps its connections. */
export const answers = (redis: Redis): Promise<boolean> =>
  redis.ping().then(
    () => true,
    () => false,
  )
