import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { chown, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from '@nifty/testkit/wait-until'
import { type Buildah, type ImageConfig, inNamespaces } from './buildah.ts'

/**
 * Mounts a container's root file system read-only, with `/tmp` in memory and a folder as `/data`, and runs a command
 * there as an unprivileged user. Arguments: data folder, user, container, the command of buildah, `--`, the command.
 */
const START = `set -e
data=$1 user=$2 container=$3
shift 3
buildah=()
while [ "$1" != -- ]; do buildah+=("$1"); shift; done
shift
root=$("\${buildah[@]}" mount "$container")
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --bind "$data" "$root/data"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" setpriv --pdeathsig=KILL --no-new-privs env --ignore-environment "$@"`

export type Variables = Record<string, string>

/**
 * The containers of one store, each from an image and with the data folder of its component. Their output is in `logs`
 * of the folder.
 */
export function openContainers(buildah: Buildah, folder: string) {
  const configs = new Map<string, ImageConfig & { data: string }>()
  const running: RunningContainer[] = []
  const logs = join(folder, 'logs')

  /** `component`: whose data folder it has; containers of two releases have the same. */
  async function create(name: string, tag: string, component = name) {
    const data = join(folder, 'data', component)
    await buildah.createContainer(name, tag)
    configs.set(name, { ...(await buildah.config(tag)), data })
    await mkdir(data, { recursive: true })
    await chown(data, 1000, 1000)
    await mkdir(logs, { recursive: true })
  }

  /**
   * Starts the image's command with arguments, or another command, with these variables and those of the image only.
   */
  function start(
    name: string,
    variables: Variables,
    { args = [] as string[], command = undefined as string[] | undefined } = {},
  ) {
    const { Env, Cmd, User, WorkingDir, data } = configs.get(name)!
    const [program, ...rest] = [
      ...inNamespaces,
      'bash',
      '-c',
      START,
      'start',
      data,
      User,
      name,
      ...buildah.command,
      '--',
      `--chdir=${WorkingDir}`,
      ...Env,
      ...Object.entries(variables).map(([variable, value]) => `${variable}=${value}`),
      ...(command ?? Cmd),
      ...args,
    ]
    const child = spawn(program!, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
    const file = createWriteStream(join(logs, `${name}.log`), { flags: 'a' })
    for (const stream of [child.stdout, child.stderr]) stream.pipe(file, { end: false })
    child.once('close', () => file.end())
    const container = runningContainer(name, child)
    running.push(container)
    return container
  }

  return {
    create,
    start,
    /** Runs a container to its end. */
    run: async (name: string, variables: Variables, options: { args?: string[]; command?: string[] }) => {
      const container = start(name, variables, options)
      return { code: await container.exited, output: container.output() }
    },
    kill: () => Promise.all(running.map((container) => container.kill())),
  }
}

export type RunningContainer = ReturnType<typeof runningContainer>

function runningContainer(name: string, child: ChildProcess) {
  let output = ''
  const append = (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-20_000)
  }
  child.stdout!.on('data', append)
  child.stderr!.on('data', append)
  let ended = false
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      ended = true
      resolve(code)
    })
  })
  /** Of the component's process, which runs in namespaces of its own. */
  const pid = async () =>
    Number((await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).split(' ')[0])
  return {
    exited,
    pid,
    output: () => output,
    /** Waits for 200 from its readiness probe. */
    ready: (url: string) =>
      waitUntil(
        async () => {
          if (ended) throw new Error(`${name} ended:\n${output.slice(-4_000)}`)
          return fetch(url).then(
            (response) => response.ok,
            () => false,
          )
        },
        { timeoutMs: 300_000 },
      ),
    /** SIGTERM to the component's process, which `unshare` does not pass on. Returns its exit code. */
    terminate: async () => {
      process.kill(await pid(), 'SIGTERM')
      return exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited.catch(() => {})
    },
  }
}
