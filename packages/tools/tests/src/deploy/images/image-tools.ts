import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../repo-rules/tree.ts'

const run = promisify(execFile)
const installer = '.ci/install-image-tools'

const missingPrograms = async () => {
  const found = await Promise.all(
    ['buildah', 'mmdebstrap'].map((program) =>
      run(program, ['--version']).then(
        () => undefined,
        () => program,
      ),
    ),
  )
  return found.filter((program) => program !== undefined)
}

/**
 * Whether images can be built on this machine without a container engine. If not, a warning on stderr names what is
 * missing and the tests that need it are skipped; with `CI=true` the programs are installed, and what is missing then
 * throws.
 */
export async function canBuildImages(): Promise<boolean> {
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  if (process.env.CI === 'true' && isRoot) await run('bash', [join(root, installer)])
  const missing = [...(isRoot ? [] : ['root on Linux']), ...(await missingPrograms())]
  if (missing.length === 0) return true
  const message = `No image can be built on this machine: it needs ${missing.join(', ')} (see ${installer})`
  if (process.env.CI === 'true') throw new Error(message)
  process.stderr.write(`\n!! ${message}. Tests of the images are SKIPPED.\n\n`)
  return false
}
