import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Runs a command with mounts and processes of its own, which end with it. The command is killed when this process ends.
 */
export const inNamespaces = [
  'setpriv',
  '--pdeathsig=KILL',
  'unshare',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
] as const

/** What a container is started with, as the Dockerfile sets it. */
export type ImageConfig = { Env: string[]; Cmd: string[]; User: string; WorkingDir: string; Labels?: object }

export type Buildah = ReturnType<typeof openBuildah>

/** Buildah with its images and containers in a folder, without a daemon and without a registry. */
export function openBuildah(folder: string) {
  const command = ['buildah', '--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  command.push('--storage-driver', 'overlay')

  async function run(...args: string[]): Promise<string> {
    // It keeps a cache there, whatever its folders are.
    const withoutCache = ['sh', '-c', 'mount -t tmpfs tmpfs /var/lib && exec "$@"', 'sh']
    const [program, ...rest] = [...inNamespaces, ...withoutCache, ...command, ...args]
    const options = { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, TMPDIR: folder } }
    const { stdout, stderr } = await promisify(execFile)(program!, rest, options).catch((error) => {
      throw new Error(`buildah ${args[0]} failed:\n${`${error.stdout}\n${error.stderr}`.slice(-6_000)}`)
    })
    return `${stdout}${stderr}`
  }

  return {
    command,
    /** Builds an image of local images only, with the layers of earlier builds. Returns the log. */
    build: ({ tag, file, context, args = {} }: { tag: string; file: string; context: string; args?: object }) =>
      run(
        'build',
        '--layers',
        '--isolation=chroot',
        '--pull-never',
        '--file',
        file,
        '--tag',
        tag,
        ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
        context,
      ),
    has: (tag: string) =>
      run('images', '--quiet', tag).then(
        () => true,
        () => false,
      ),
    config: async (tag: string): Promise<ImageConfig> =>
      JSON.parse(await run('inspect', '--type', 'image', tag)).OCIv1.config,
    /** Size with all layers, as buildah prints it: `342 MB`. */
    size: async (tag: string) => (await run('images', '--noheading', '--format', '{{.Size}}', tag)).trim(),
    removeContainers: () => run('rm', '--all'),
    createContainer: (name: string, tag: string) => run('from', '--pull-never', '--name', name, tag),
  }
}
