import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

export type Project = 'unit' | 'repo-rules' | 'services' | 'journeys' | 'browser' | 'browser-timing'

/** Browser tests whose result depends on how fast a page loads: nothing else runs beside them. */
const timed = /^packages\/tools\/tests\/src\/web\/(preload|layout-shift)\.test\.ts$/

/**
 * Modules that start servers or need them: the test code of a service, the embedded servers, the card sandbox, Fastify, a
 * build of the front end. A test that imports one of them is not a unit test.
 */
const needsServers =
  /from '[^']*(?:testing|dev-servers(?!\/(?:temporary-folder|is-running)')|card-sandbox)[^']*'|from '(?:vite|fastify)'/
/** Packages whose own tests start processes. */
const startsServers = /^packages\/tools\/(dev-servers|card-sandbox)\//

/** The one project that a test file belongs to. */
export function projectOf(file: string): Project {
  if (file.startsWith('packages/tools/tests/src/repo-rules/')) return 'repo-rules'
  if (timed.test(file)) return 'browser-timing'
  if (/^packages\/tools\/tests\/src\/(web|screens)\//.test(file)) return 'browser'
  if (file.startsWith('packages/tools/tests/')) return 'journeys'
  if (startsServers.test(file)) return 'services'
  return needsServers.test(readFileSync(join(root, file), 'utf8')) ? 'services' : 'unit'
}

const tracked = ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx']

/** Every test file of the repository, also those not committed yet. */
export const testFiles = execFileSync('git', tracked, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)))
