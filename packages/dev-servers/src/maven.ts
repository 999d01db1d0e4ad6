import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const pom = join(import.meta.dirname, '../pom.xml')
const kept = join(import.meta.dirname, '../../../.parts')

/**
 * The servers that `pom.xml` names, fetched once per clone: `kafka` is a folder of jars, `redis` one of binaries.
 * Whoever comes second while two fetch at once uses what the first brought.
 */
export async function partsFromMaven(): Promise<{ kafka: string; redis: string }> {
  const folder = join(kept, createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12))
  if (!existsSync(folder)) await fetchParts(folder)
  return { kafka: join(folder, 'kafka'), redis: join(folder, 'redis') }
}

async function fetchParts(folder: string) {
  await mkdir(kept, { recursive: true })
  const coming = await mkdtemp(`${folder}-`)
  // Servers may run as another user than the one who fetched them.
  await chmod(coming, 0o755)
  try {
    await promisify(execFile)('mvn', ['-q', '-B', '-f', pom, 'process-resources', `-Dparts=${coming}`])
    const binaries = join(coming, 'redis')
    await Promise.all((await readdir(binaries)).map((name) => chmod(join(binaries, name), 0o755)))
    await rename(coming, folder)
  } catch (error) {
    await rm(coming, { recursive: true, force: true })
    if (!existsSync(folder))
      throw new Error(`Kafka and Redis could not be fetched by Maven (Java 17 is needed too): ${wordsOf(error)}`)
  }
}

const wordsOf = (error: unknown) => {
  const { stdout, message } = error as { stdout?: string; message: string }
  return stdout?.trim().split('\n').slice(0, 5).join('\n') || message
}
