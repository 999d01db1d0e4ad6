import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const unpack = `await (await import('@sparticuz/chromium')).default.executablePath()`

/**
 * Chromium from npm, unpacked once for each version below the folder for temporary files. The package writes the
 * executable in place, and a process that starts it meanwhile fails with ETXTBSY. So it is unpacked in a folder of this
 * process, which is renamed when it is complete.
 */
export async function npmChromiumPath(): Promise<string> {
  const manifest = join(fileURLToPath(import.meta.resolve('@sparticuz/chromium')), '../../package.json')
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const folder = join(tmpdir(), `nifty-chromium-${version}`)
  const path = join(folder, 'chromium')
  if (existsSync(path)) return path
  const unpacked = await mkdtemp(join(tmpdir(), 'nifty-chromium-'))
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: unpacked },
  })
  try {
    await rename(unpacked, folder)
  } catch (error) {
    await rm(unpacked, { recursive: true, force: true })
    // Another process was first.
    if (!existsSync(path)) throw error
  }
  return path
}
