import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const pom = join(import.meta.dirname, '../pom.xml')
const cacheFolder = join(import.meta.dirname, '../../../../.dev-servers')

/**
 * Downloads the servers that `pom.xml` names, once per clone: `kafka` is a folder of jars, `redis` one of binaries.
 * Safe to call from several processes at once: the first complete download is used.
 */
export async function serversFromMaven(): Promise<{ kafka: string; redis: string }> {
  const folder = join(cacheFolder, createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12))
  if (!existsSync(folder)) await download(folder)
  return { kafka: join(folder, 'kafka'), redis: join(folder, 'redis') }
}

async function download(folder: string) {
  await mkdir(cacheFolder, { recursive: true })
  const draft = await mkdtemp(`${folder}-`)
  // The servers may run as another user than the one who downloads them.
  await chmod(draft, 0o755)
  try {
    await promisify(execFile)('mvn', ['-q', '-B', '-f', pom, 'process-resources', `-Dservers=${draft}`])
    const binaries = join(draft, 'redis')
    await Promise.all((await readdir(binaries)).map((name) => chmod(join(binaries, name), 0o755)))
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!existsSync(folder))
      throw new Error(`Maven failed to download Kafka and Redis (Java 17 is required as well): ${firstLinesOf(error)}`)
  }
}

const firstLinesOf = (error: unknown) => {
  const { stdout, message } = error as { stdout?: string; message: string }
  return stdout?.trim().split('\n').slice(0, 5).join('\n') || message
}
