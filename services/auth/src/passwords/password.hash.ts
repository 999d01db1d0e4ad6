import { randomToken } from '@nifty/service-kit/secrets'
import { createSemaphore } from '@nifty/service-kit/semaphore'
import { hash, verify } from '@node-rs/argon2'

/** Parameters that OWASP recommends for argon2id, the library's default algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`

export type Hasher = Awaited<ReturnType<typeof createHasher>>

/**
 * Hashes passwords with limited concurrency, so that many log-ins at once do not take all CPUs from other requests.
 * Throws 429 when the queue is full.
 */
export async function createHasher({ concurrency = 4, maxWaiting = 100 } = {}) {
  const semaphore = createSemaphore({ concurrency, maxWaiting })
  const dummy = await hash(randomToken(), cost)
  return {
    hash: (password: string) => semaphore(() => hash(password, cost)),
    /** Without a stored hash: takes the same time and returns false. */
    verify: (stored: string | undefined, password: string) =>
      semaphore(async () => (await verify(stored ?? dummy, password)) && stored !== undefined),
    isOutdated: (stored: string) => !stored.startsWith(prefix),
  }
}
