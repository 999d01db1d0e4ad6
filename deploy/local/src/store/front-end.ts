import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const webFolder = join(import.meta.dirname, '../../../../web')

/** The folder of the built front end. Builds it first if its sources have changed since the last build. */
export async function builtFrontEnd(): Promise<string> {
  const root = join(webFolder, 'dist')
  const marker = join(root, '.built-from')
  const sources = hashOfSources()
  if (existsSync(marker) && readFileSync(marker, 'utf8') === sources) return root
  const vite = createRequire(join(webFolder, 'package.json')).resolve('vite/package.json')
  await promisify(execFile)(process.execPath, [join(dirname(vite), 'bin/vite.js'), 'build', '--logLevel', 'warn'], {
    cwd: webFolder,
    // Also when tests start the store with another NODE_ENV: React's development build is three times as large.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  await writeFile(marker, sources)
  return root
}

function hashOfSources() {
  const hash = createHash('sha256')
  const files = globSync(['src/**/*', 'public/**/*', '*.{ts,json,html}'], { cwd: webFolder, withFileTypes: true })
  const paths = files.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort()
  for (const path of paths) hash.update(path.slice(webFolder.length)).update(readFileSync(path))
  return hash.digest('hex')
}
