import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Value } from 'typebox/value'
import { type Manifest, named } from './chart.ts'
import { operatorKinds } from './operator-kinds.ts'
import type { Tools } from './tools.ts'

/** Newest and oldest supported Kubernetes release. */
export const releases = ['1.37', '1.30']

/** Schema errors, one line each: unknown fields, wrong types, missing fields. */
export async function schemaErrors(
  { python }: Tools,
  manifests: Manifest[],
  against = releases.slice(0, 1),
): Promise<string[]> {
  const ofOperators = manifests.filter(isOfOperators)
  const ofKubernetes = manifests.filter((manifest) => !isOfOperators(manifest))
  const folder = await mkdtemp(join(tmpdir(), 'nifty-manifests-'))
  try {
    const file = join(folder, 'all.yaml')
    // JSON is valid YAML without ambiguities.
    await writeFile(file, ofKubernetes.map((manifest) => JSON.stringify(manifest)).join('\n---\n'))
    const lines = await Promise.all(against.map((release) => validate(python, release, file)))
    return [...lines.flat(), ...ofOperators.flatMap(operatorSchemaErrors)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Custom resources: their API group has a dot and does not end in `.k8s.io`, but for the Gateway API's. */
const isOfOperators = ({ apiVersion }: Manifest) =>
  apiVersion.startsWith('gateway.') || (/\./.test(apiVersion) && !/^[a-z.]+\.k8s\.io\//.test(apiVersion))

async function validate(python: string, release: string, file: string) {
  const args = ['-m', 'kubernetes_validate', '-k', release, '--strict', '--quiet', file]
  const { stdout, stderr } = await promisify(execFile)(python, args).catch(
    (error: { stdout?: string; stderr?: string }) => ({
      stdout: error.stdout ?? '',
      stderr: error.stderr ?? `${error}`,
    }),
  )
  // Messages about objects without a schema, and failures of the program itself, count as errors.
  return `${stdout}\n${stderr}`.split('\n').filter(Boolean)
}

function operatorSchemaErrors(manifest: Manifest): string[] {
  const schema = operatorKinds[`${manifest.apiVersion} ${manifest.kind}`]
  if (!schema) return [`${named(manifest)}: no schema for ${manifest.apiVersion}`]
  return Value.Errors(schema, manifest.spec).map(
    ({ instancePath, message, params }) =>
      `${named(manifest)}: spec${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}
