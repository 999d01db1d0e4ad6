import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.ts'

/**
 * A new folder, which the user that PostgreSQL runs as can enter. It is removed at the end of the test, or of the file
 * when called outside of a test.
 */
export async function temporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `nifty-${name}-`))
  await chmod(folder, 0o755)
  // Servers that a test has killed may still write.
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))
  return folder
}
