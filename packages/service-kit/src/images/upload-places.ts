import { tooMany } from '../base/errors.ts'
import { createSemaphore } from '../base/semaphore.ts'

/** Uploads that a process reads and encodes at once, and of one account; so many more wait, before their first byte. */
const AT_ONCE = 16
const AT_ONCE_PER_ACCOUNT = 2
const MAX_WAITING = 64
const MAX_WAITING_PER_ACCOUNT = 4
/** Whole files that fit in the memory which uploads may take; of one account, one. */
const FILES_IN_MEMORY = 4

/**
 * Counts bytes of an upload that are in memory. Throws 429 when all uploads have as many as the process may hold, or
 * those of the account as many as one file may have.
 */
export type CountBytes = (bytes: number) => void

export type UploadPlaces = ReturnType<typeof createUploadPlaces>

/**
 * Bounds what the uploads of a process take, from before their first byte is read until `task` has ended. `maxBytes`:
 * of one file.
 */
export function createUploadPlaces({ maxBytes }: { maxBytes: number }) {
  const semaphore = createSemaphore({
    concurrency: AT_ONCE,
    concurrencyPerClient: AT_ONCE_PER_ACCOUNT,
    maxWaiting: MAX_WAITING,
    maxWaitingPerClient: MAX_WAITING_PER_ACCOUNT,
  })
  const maxBytesInMemory = FILES_IN_MEMORY * maxBytes
  let bytesInMemory = 0
  const bytesOf = new Map<string, number>()
  const count = (accountId: string, bytes: number) => {
    bytesInMemory += bytes
    const left = (bytesOf.get(accountId) ?? 0) + bytes
    if (left > 0) bytesOf.set(accountId, left)
    else bytesOf.delete(accountId)
  }

  /** Rejects with 429 when too many wait, or too many of this account. */
  return <Result>(accountId: string, task: (countBytes: CountBytes) => Promise<Result>): Promise<Result> =>
    semaphore(async () => {
      let own = 0
      const countBytes: CountBytes = (bytes) => {
        const ofAccount = bytesOf.get(accountId) ?? 0
        if (ofAccount + bytes > maxBytes || bytesInMemory + bytes > maxBytesInMemory) throw tooMany(1)
        own += bytes
        count(accountId, bytes)
      }
      try {
        return await task(countBytes)
      } finally {
        count(accountId, -own)
      }
    }, accountId)
}
