import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { writeResult } from '@nifty/testkit/write-result'
import { root } from '../../repo-rules/tree.ts'
import { openBuildah } from '../images/buildah.ts'
import { canBuildImages } from '../images/image-tools.ts'
import { buildRelease } from './release.ts'
import { upgrade } from './upgrade.ts'

/**
 * `pnpm images:upgrade <former commit> [commit]`: the store from its images, as unprivileged processes with read-only
 * roots, on PostgreSQL behind PgBouncer, Kafka, Redis and a bucket: a purchase and a mint from the former images, then
 * an upgrade to those of the other commit (default: HEAD) as the chart does it, while works are minted and sold. A
 * former commit without PgBouncer and bucket gets both by the upgrade. Needs root on Linux, Java, Maven, Go, buildah
 * and the machine for itself. Images stay in `.dev-servers/images`. Exits with 1 and the reasons where a request
 * failed, or where orders, events, books or owners on the chain do not fit.
 */
const [formerRevision, revision = 'HEAD', ...others] = process.argv.slice(2)
if (!formerRevision || others.length > 0) {
  process.stderr.write('Usage: pnpm images:upgrade <former commit> [commit]\n')
  process.exit(2)
}
if (!(await canBuildImages())) process.exit(1)

const startedAt = new Date()
const began = performance.now()
const seconds = () => Math.round((performance.now() - began) / 1_000)
const print = (text: string) => process.stdout.write(`${text}\n`)
const log = (text: string) => print(`${String(seconds()).padStart(5)} s  ${text}`)

const images = join(root, '.dev-servers/images')
await mkdir(images, { recursive: true })
const buildah = openBuildah(images)
const former = await buildRelease(buildah, { folder: images, revision: formerRevision, log })
const next = await buildRelease(buildah, { folder: images, revision, log })

const folder = await mkdtemp(join(tmpdir(), 'nifty-upgrade-'))
await chmod(folder, 0o755)
const { metrics, violations } = await upgrade(buildah, { folder, former, next, log })
const lines = [
  ...Object.entries({ ...metrics, 'seconds in all': seconds() }).map(([name, value]) => `${name.padEnd(48)} ${value}`),
  ...violations.map((violation) => `VIOLATION ${violation}`),
  violations.length === 0 ? 'all invariants held' : `${violations.length} violations`,
]
for (const line of lines) print(`  ${line}`)
const file = await writeResult(join(root, 'deploy/helm/results'), {
  startedAt,
  command: ['pnpm images:upgrade', ...process.argv.slice(2)].join(' '),
  machine: `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`,
  seconds: seconds(),
  lines,
})
log(`written to ${relative('', file)}`)
if (violations.length === 0) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
else log(`data and logs are in ${folder}`)
process.exit(violations.length === 0 ? 0 : 1)
