import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programs } from '@nifty/api/services'
import { root } from '../../repo-rules/tree.ts'
import { makeBaseImages } from '../images/base-images.ts'
import type { Buildah } from '../images/buildah.ts'

const run = promisify(execFile)
const components = [...programs, 'ops']
const CONCURRENT_BUILDS = 2

export type Release = {
  commit: string
  tree: string
  tagOf: (component: string) => string
  /** Whether its services read these settings; others are older. */
  knows: { pooler: boolean; bucket: boolean }
}

/** A commit's files, and its images of gateway, services and operator's tool, made unless the folder has them. */
export async function buildRelease(
  buildah: Buildah,
  { folder, revision, log }: { folder: string; revision: string; log: (text: string) => void },
): Promise<Release> {
  const { stdout } = await run('git', ['rev-parse', '--short=8', `${revision}^{commit}`], { cwd: root })
  const commit = stdout.trim()
  const tree = await filesOf(commit, join(folder, 'trees'))
  const tagOf = (component: string) => `nifty/${component}:${commit}`

  const missing: string[] = []
  for (const component of components) if (!(await buildah.has(tagOf(component)))) missing.push(component)
  if (missing.length > 0) {
    log(`${commit}: building the images of ${missing.join(', ')}`)
    await makeBaseImages(buildah, folder)
    const build = async (component: string) => {
      const file = join(tree, 'deploy/Dockerfile')
      await buildah.build({ tag: tagOf(component), file, context: tree, args: { SERVICE: component } })
    }
    // The first one makes the layers that all have.
    await build(missing.shift()!)
    const work = async () => {
      for (let next = missing.shift(); next; next = missing.shift()) await build(next)
    }
    await Promise.all(Array.from({ length: CONCURRENT_BUILDS }, work))
  }
  log(`${commit}: all images are there`)
  const reads = (variable: string) =>
    run('git', ['grep', '--quiet', variable, commit, '--', 'packages/service-kit/src'], { cwd: root }).then(
      () => true,
      () => false,
    )
  const knows = { pooler: await reads('POSTGRES_POOLER_URL'), bucket: await reads('UPLOADS_URL') }
  return { commit, tree, tagOf, knows }
}

async function filesOf(commit: string, trees: string) {
  const tree = join(trees, commit)
  if (existsSync(tree)) return tree
  await mkdir(trees, { recursive: true })
  const draft = await mkdtemp(`${tree}-`)
  await run('git', ['archive', '--output', `${draft}.tar`, commit], { cwd: root })
  await run('tar', ['--extract', '--file', `${draft}.tar`, '--directory', draft])
  await rename(draft, tree)
  return tree
}
