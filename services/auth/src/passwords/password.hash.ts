import { randomToken } from '@nifty/service-kit/base/secrets'
import { createSemaphore } from '@nifty/service-kit/base/semaphore'
import { networkOf, siteOf } from '@nifty/service-kit/http/network'
import { hash, verify } from '@node-rs/argon2'
import { MAX_WAITING_PER_SITE } from '../quotas/limits.ts'

/** Parameters that OWASP recommends for argon2id, the library's default algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`

/** A keyboard or a device composes `é` from one character or two: NFC, as NIST SP 800-63B asks for. */
const composed = (password: string) => password.normalize('NFC')

export type Hasher = ReturnType<typeof createHasher>

/**
 * Hashes passwords with limited concurrency, so that many log-ins at once do not take all CPUs from other requests.
 * `ip` is the client's address. Throws 429 when the queue, or the share of the client's site in it, is full.
 */
export function createHasher({ concurrency = 4, maxWaiting = 100 } = {}) {
  const semaphore = createSemaphore({ concurrency, maxWaiting, maxWaitingPerClient: MAX_WAITING_PER_SITE })
  // Not awaited: it takes 50 ms, and a start does not need it. A failure is that of the check that uses it.
  const dummy = hash(randomToken(), cost)
  dummy.catch(() => {})
  return {
    hash: (password: string, ip: string) => semaphore(() => hash(composed(password), cost), siteOf(networkOf(ip))),
    /**
     * Without a stored hash: takes the same time and returns false. A password that was stored before as it was typed
     * is accepted so as well.
     */
    verify: (stored: string | undefined, password: string, ip: string) =>
      semaphore(
        async () => {
          const spellings = new Set([composed(password), password])
          const present = stored ?? (await dummy)
          for (const spelling of spellings) if (await verify(present, spelling)) return stored !== undefined
          return false
        },
        siteOf(networkOf(ip)),
      ),
    isOutdated: (stored: string) => !stored.startsWith(prefix),
  }
}
