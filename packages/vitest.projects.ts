import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

type Kind = 'unit' | 'repo-rules' | 'services' | 'journeys' | 'browser' | 'browser-timing'
/** `pnpm check` runs repo-rules, `pnpm test:full` what ends in `-full`, `pnpm test` all others. */
export type Project = Kind | `${Kind}-full`

/** Browser tests whose result depends on how fast a page loads: nothing else runs beside them. */
const timed = /^packages\/tools\/tests\/src\/web\/(preload|layout-shift)\.test\.ts$/

/**
 * Modules that start servers or need them: the test code of a service, the embedded servers, the card sandbox, Fastify,
 * a build of the front end. A test that imports one of them is not a unit test.
 */
const needsServers =
  /from '[^']*(?:testing|dev-servers(?!\/(?:temporary-folder|is-running)')|card-sandbox)[^']*'|from '(?:vite|fastify)'/
/** Packages whose own tests start processes. */
const startsServers = /^packages\/tools\/(dev-servers|card-sandbox)\//

function kindOf(file: string): Kind {
  if (file.startsWith('packages/tools/tests/src/repo-rules/')) return 'repo-rules'
  if (timed.test(file)) return 'browser-timing'
  if (/^packages\/tools\/tests\/src\/(web|screens)\//.test(file)) return 'browser'
  if (file.startsWith('packages/tools/tests/')) return 'journeys'
  if (startsServers.test(file)) return 'services'
  return needsServers.test(readFileSync(join(root, file), 'utf8')) ? 'services' : 'unit'
}

/**
 * Tests that are long by nature, or need what CI installs later: chart, images, PgBouncer, clusters, storms, backups,
 * starts of whole stores, changes of keys, a key service, a bucket, clients that read nothing, builds that lack code,
 * random requests and actions, every screen, pages that are printed or offline. Beside them what a visitor does after
 * the purchase, and the parts that pages share.
 */
const long = [
  /^packages\/tools\/tests\/src\/(deploy|fuzz|identities|screens)\//,
  /^packages\/tools\/tests\/src\/journeys\/(backup|cluster|database-restored|launcher|login-flood|object-storage|quick-start|resource-prefix|storm)\.test\.ts$/,
  /^packages\/tools\/tests\/src\/web\/(certificate|custody|gifts|return-to|settings)\.test\.ts$/,
  /^packages\/tools\/tests\/src\/web\/(early-input|failing-api|favourites|fixed-parts|header-footer|item-owner|item-related)\.test\.ts$/,
  /^packages\/tools\/tests\/src\/web\/(long-text|missing-code|npm-chromium|office|offline-pages|own-texts|print|third-parties)\.test\.ts$/,
  /^packages\/contracts\/solidity\/invariants\.test\.ts$/,
  /^packages\/service-kit\/src\/database\/pooler\.test\.ts$/,
  /^packages\/service-kit\/src\/messaging\/kafka\/(kafka-transport|topics)\.test\.ts$/,
  /^packages\/service-kit\/src\/objects\/objects\.test\.ts$/,
  /^services\/minting\/src\/chain-transactions\/(key-service|several-signers)\.test\.ts$/,
  /^gateway\/src\/pools\/unread-responses\.test\.ts$/,
  /^deploy\/local\/src\/(backup|postgres-upgrade)\/.*\.test\.ts$/,
  /^deploy\/local\/src\/launcher\/stopping\.test\.ts$/,
  /^deploy\/ops\/src\/signers\.test\.ts$/,
  timed,
]

/** The one project that a test file belongs to. */
export function projectOf(file: string): Project {
  const kind = kindOf(file)
  return long.some((pattern) => pattern.test(file)) ? `${kind}-full` : kind
}

const tracked = ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx']

/** Every test file of the repository, also those not committed yet. */
export const testFiles = execFileSync('git', tracked, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)))
