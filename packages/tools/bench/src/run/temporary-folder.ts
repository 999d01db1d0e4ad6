import { existsSync, rmSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const REMOVE_WITHIN_MS = 5_000
const folders = new Set<string>()
process.once('exit', removeAll)

/**
 * A folder for servers, also for those that run as another user. It is removed by `remove`, or when the process ends.
 */
export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'nifty-bench-'))
  folders.add(path)
  await chmod(path, 0o755)
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true })
      folders.delete(path)
    },
  }
}

/** A server of a run that is stopped writes until it has ended, and `rmSync` leaves folders that change meanwhile. */
function removeAll() {
  const until = performance.now() + REMOVE_WITHIN_MS
  while (performance.now() < until && [...folders].some(existsSync))
    for (const path of folders) rmSync(path, { recursive: true, force: true })
}
