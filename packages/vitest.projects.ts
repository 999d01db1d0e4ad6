import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '..')

type Kind = 'unit' | 'repo-rules' | 'services' | 'journeys' | 'browser' | 'browser-timing'
/** `pnpm check` runs repo-rules, `pnpm test:full` and `pnpm test:release` what ends so, `pnpm test` all others. */
export type Project = Kind | `${Kind}-full` | `${Kind}-release`

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
 * What changes seldom and takes minutes: images that are built and run, backups that are restored, upgrades of
 * PostgreSQL. CI runs it beside the rest, on a machine of its own.
 */
const release = [
  /^packages\/tools\/tests\/src\/deploy\/images-built\.test\.ts$/,
  /^packages\/tools\/tests\/src\/journeys\/(backup|database-restored)\.test\.ts$/,
  /^deploy\/local\/src\/(backup|postgres-upgrade)\/.*\.test\.ts$/,
]

/**
 * Tests that are long by nature, or need what CI installs later: chart, PgBouncer, clusters, storms, starts of whole
 * stores, changes of keys, a key service, a bucket, clients that read nothing, builds that lack code, random requests
 * and actions, every screen, pages that are printed or offline. Beside them what a visitor does after a purchase or in
 * place of it, what a creator does in the studio, the parts that pages share, further ways to log in, and how lists and
 * pages are laid out and operated.
 */
const long = [
  /^packages\/tools\/tests\/src\/(deploy|fuzz|identities|screens)\//,
  /^packages\/tools\/tests\/src\/journeys\/(cluster|launcher|login-flood|object-storage|quick-start|resource-prefix|storm)\.test\.ts$/,
  /^packages\/tools\/tests\/src\/web\/(auctions|cards|certificate|cover|custody|gifts|legal|offers|return-to|settings|studio)\.test\.ts$/,
  /^packages\/tools\/tests\/src\/web\/(early-input|failing-api|favourites|fixed-parts|header-footer|item-owner|item-related)\.test\.ts$/,
  /^packages\/tools\/tests\/src\/web\/(connection|long-text|missing-code|npm-chromium|office|offline-forms|offline-pages|own-texts|print|third-parties)\.test\.ts$/,
  /^packages\/tools\/tests\/src\/web\/(creators|explore-filters|gallery|item-viewer|keyboard|kept-focus|young-shop)\.test\.ts$/,
  /^packages\/tools\/tests\/src\/web\/(api-docs|old-browsers|passkeys|second-factor|wallets)\.test\.ts$/,
  /^packages\/contracts\/solidity\/invariants\.test\.ts$/,
  /^packages\/service-kit\/src\/database\/pooler\.test\.ts$/,
  /^packages\/service-kit\/src\/messaging\/kafka\/(kafka-transport|topics)\.test\.ts$/,
  /^packages\/service-kit\/src\/objects\/objects\.test\.ts$/,
  /^services\/minting\/src\/chain-transactions\/(key-service|several-signers)\.test\.ts$/,
  /^gateway\/src\/pools\/unread-responses\.test\.ts$/,
  /^deploy\/local\/src\/launcher\/stopping\.test\.ts$/,
  /^deploy\/ops\/src\/signers\.test\.ts$/,
  timed,
]

/** The one project that a test file belongs to. */
export function projectOf(file: string): Project {
  const kind = kindOf(file)
  const isOneOf = (patterns: RegExp[]) => patterns.some((pattern) => pattern.test(file))
  if (isOneOf(release)) return `${kind}-release`
  return isOneOf(long) ? `${kind}-full` : kind
}

const tracked = ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx']

/** Every test file of the repository, also those not committed yet. */
export const testFiles = execFileSync('git', tracked, { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)))
