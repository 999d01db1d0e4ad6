import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const workspace = join(import.meta.dirname, '../../../..')
const webFolder = join(workspace, 'web')

const MARKER = '.built-from'

type Build = {
  config: string
  /** Patterns of files that it is not made of. */
  without: string[]
}

const shop: Build = {
  config: 'vite.config.ts',
  without: ['web/src/office/**', 'web/office.html', 'web/vite.office.config.ts'],
}
const office: Build = { config: 'vite.office.config.ts', without: ['web/index.html', 'web/vite.config.ts'] }

/** The folder of the built front end. */
export const builtFrontEnd = (root = join(webFolder, 'dist')) => built(shop, root)

/** The folder of the built pages of the office. */
export const builtOffice = (root = join(webFolder, 'dist-office')) => built(office, root)

/**
 * Builds first if the sources have changed since the last build, into a folder of this process that then takes the
 * place of the other one: stores that start at once may both build it.
 */
async function built({ config, without }: Build, root: string): Promise<string> {
  const sources = hashOfSources(without)
  const isCurrent = () => {
    const marker = join(root, MARKER)
    return existsSync(marker) && readFileSync(marker, 'utf8') === sources
  }
  if (isCurrent()) return root
  const folder = join(webFolder, 'node_modules', `.front-end-${randomUUID()}`)
  const building = build(config, folder)
  // A launcher that is stopped meanwhile.
  const breakOff = () => {
    building.child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', breakOff)
  try {
    await building
    await writeFile(join(folder, MARKER), sources)
    if (!isCurrent()) {
      await rm(root, { recursive: true, force: true })
      await rename(folder, root)
    }
  } catch (error) {
    // Another store has put its build there in the meantime.
    if (!isCurrent()) throw error
  } finally {
    process.off('exit', breakOff)
    await rm(folder, { recursive: true, force: true })
  }
  return root
}

function build(config: string, folder: string) {
  const vite = createRequire(join(webFolder, 'package.json')).resolve('vite/package.json')
  return promisify(execFile)(
    process.execPath,
    [join(dirname(vite), 'bin/vite.js'), 'build', '--config', config, '--outDir', folder, '--logLevel', 'warn'],
    {
      cwd: webFolder,
      // Also when tests start the store with another NODE_ENV: React's development build is three times as large.
      env: { ...process.env, NODE_ENV: 'production' },
    },
  )
}

function hashOfSources(without: string[]) {
  const hash = createHash('sha256')
  const patterns = ['web/{src,public}/**/*', 'web/*.{ts,json,html}', 'packages/api/src/**/*', 'pnpm-lock.yaml']
  const files = globSync(patterns, { cwd: workspace, withFileTypes: true, exclude: without })
  const paths = files.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort()
  for (const path of paths) hash.update(path.slice(workspace.length)).update(readFileSync(path))
  return hash.digest('hex')
}
