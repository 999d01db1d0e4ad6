import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Value } from 'typebox/value'
import { type Manifest, named } from './chart.ts'
import { operatorKinds } from './operator-kinds.ts'
import type { Tools } from './tools.ts'

/** The newest release that the chart is for, and the oldest. */
export const releases = ['1.37', '1.30']

/** What the schemas refuse, one line each: unknown fields, wrong types, missing fields. */
export async function refusals(
  { python }: Tools,
  manifests: Manifest[],
  against = releases.slice(0, 1),
): Promise<string[]> {
  const ofOperators = manifests.filter(isOfOperators)
  const ofKubernetes = manifests.filter((manifest) => !isOfOperators(manifest))
  const folder = await mkdtemp(join(tmpdir(), 'nifty-manifests-'))
  try {
    const file = join(folder, 'all.yaml')
    // JSON is YAML that every reader understands alike.
    await writeFile(file, ofKubernetes.map((manifest) => JSON.stringify(manifest)).join('\n---\n'))
    const lines = await Promise.all(against.map((release) => validate(python, release, file)))
    return [...lines.flat(), ...ofOperators.flatMap(refusalsOfOperators)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Kinds that an operator brings have a dot in their group that is not Kubernetes' own. */
const isOfOperators = ({ apiVersion }: Manifest) => /\./.test(apiVersion) && !/^[a-z.]+\.k8s\.io\//.test(apiVersion)

async function validate(python: string, release: string, file: string) {
  const args = ['-m', 'kubernetes_validate', '-k', release, '--strict', '--quiet', file]
  const { stdout, stderr } = await promisify(execFile)(python, args).catch(
    (error: { stdout?: string; stderr?: string }) => ({
      stdout: error.stdout ?? '',
      stderr: error.stderr ?? `${error}`,
    }),
  )
  // Also what is said of an object without a schema, and of the program itself, is a refusal.
  return `${stdout}\n${stderr}`.split('\n').filter(Boolean)
}

function refusalsOfOperators(manifest: Manifest): string[] {
  const schema = operatorKinds[`${manifest.apiVersion} ${manifest.kind}`]
  if (!schema) return [`${named(manifest)}: nobody knows ${manifest.apiVersion}`]
  return Value.Errors(schema, manifest.spec).map(
    ({ instancePath, message, params }) =>
      `${named(manifest)}: spec${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}
