import { hash, verify } from '@node-rs/argon2'
import { createGate } from '../gate.ts'
import { newSecret } from '../secrets.ts'

/** argon2id, as OWASP asks; the library's default algorithm. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const prefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`

export type Hasher = Awaited<ReturnType<typeof createHasher>>

/**
 * Hashes passwords, four at a time with a hundred waiting, so that a flood of log-ins does not take the machine from
 * everybody else. Beyond that: 429.
 */
export async function createHasher({ atOnce = 4, queue = 100 } = {}) {
  const gate = createGate({ atOnce, queue })
  const dummy = await hash(newSecret(), cost)
  return {
    hash: (password: string) => gate(() => hash(password, cost)),
    /** Takes the same time without a hash, and then says no. */
    verify: (stored: string | undefined, password: string) =>
      gate(async () => (await verify(stored ?? dummy, password)) && stored !== undefined),
    isOutdated: (stored: string) => !stored.startsWith(prefix),
  }
}
