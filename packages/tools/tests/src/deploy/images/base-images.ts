import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../repo-rules/tree.ts'
import { type Buildah, inNamespaces } from './buildah.ts'

const run = async (program: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  (await promisify(execFile)(program, args, { env: { ...process.env, ...env } })).stdout.trim()

/**
 * Makes the images that the Dockerfile starts from under their names, from the sources that this machine's apt and npm
 * have: its own distribution in place of Debian's image, and the same with Node and npm from the packages of these
 * names.
 */
export async function makeBaseImages(buildah: Buildah, folder: string) {
  const context = join(folder, 'base')
  const files = join(context, 'node-files')
  await mkdir(files, { recursive: true })
  const names = baseNames(await readFile(join(root, 'deploy/Dockerfile'), 'utf8'))
  await Promise.all([bootstrap(join(context, 'system.tar')), installNode(files)])

  const build = async (name: string, lines: string[]) => {
    const file = join(context, name.split(':')[0]!)
    await writeFile(file, lines.join('\n'))
    await buildah.build({ tag: `docker.io/library/${name}`, file, context })
  }
  await build(names.system, [
    'FROM scratch',
    'ADD system.tar /',
    'ENV PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  ])
  // The lock file was compared with the policies by the installation that these tests run from.
  await build(names.node, [`FROM ${names.system}`, 'COPY node-files /', 'ENV PNPM_CONFIG_TRUST_LOCKFILE=true'])
}

/** The images of `FROM` that are no stages. */
function baseNames(dockerfile: string) {
  const names = [...dockerfile.matchAll(/^FROM (\S+:\S+)/gm)].map(([, name]) =>
    name!.replace(/\$\{(\w+)\}/g, (_all, argument) => new RegExp(`^ARG ${argument}=(\\S+)`, 'm').exec(dockerfile)![1]!),
  )
  const node = names.find((name) => name.startsWith('node:'))
  const system = names.find((name) => name.startsWith('debian:'))
  if (names.length !== 2 || !node || !system) throw new Error(`unknown base images: ${names.join(', ')}`)
  return { node, system }
}

/**
 * A root file system of this machine's distribution with essential packages and apt, as Debian's slim image has them.
 */
async function bootstrap(tar: string) {
  const [, codename] = /^VERSION_CODENAME=(\S+)/m.exec(await readFile('/etc/os-release', 'utf8')) ?? []
  const targets = await run('apt-get', ['indextargets', '--format', '$(REPO_URI) $(CODENAME) $(COMPONENT)'])
  const source = targets.split('\n').find((line) => line.endsWith(` ${codename} main`))
  if (!source) throw new Error(`apt has no source of ${codename}: run apt-get update`)
  const aptOptions = `${tar}.apt`
  await writeFile(aptOptions, await run('apt-config', ['dump', 'Acquire']))
  const [program, ...args] = [
    ...inNamespaces,
    'mmdebstrap',
    '--quiet',
    '--variant=apt',
    `--aptopt=${aptOptions}`,
    '--dpkgopt=force-unsafe-io',
    ...['doc', 'man', 'locale'].map((folder) => `--dpkgopt=path-exclude=/usr/share/${folder}/*`),
    codename!,
    tar,
    `deb ${source}`,
  ]
  await run(program!, args, { TMPDIR: dirname(tar) })
}

async function installNode(files: string) {
  const manifest = createRequire(join(root, 'package.json')).resolve('node/package.json')
  const prefix = join(files, 'usr/local')
  await mkdir(join(prefix, 'bin'), { recursive: true })
  await copyFile(join(dirname(manifest), 'bin/node'), join(prefix, 'bin/node'))
  await run('npm', ['install', '--global', '--prefix', prefix, `npm@${await run('npm', ['--version'])}`])

  // Registry and its certificates, as on this machine.
  const settings = [`registry=${await run('npm', ['config', 'get', 'registry'])}`]
  const certificates = await run('npm', ['config', 'get', 'cafile'])
  if (certificates !== 'null') {
    await mkdir(dirname(join(files, certificates)), { recursive: true })
    await copyFile(certificates, join(files, certificates))
    settings.push(`cafile=${certificates}`)
  }
  await mkdir(join(files, 'root'), { recursive: true })
  await writeFile(join(files, 'root/.npmrc'), `${settings.join('\n')}\n`)
}
