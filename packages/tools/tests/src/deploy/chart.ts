import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments, stringify } from 'yaml'
import { root } from '../repo-rules/tree.ts'
import type { Tools } from './tools.ts'

export const chart = join(root, 'deploy/helm')
export const sizes = ['small', 'medium', 'large'] as const
export type Size = (typeof sizes)[number]

/** A Kubernetes object of any kind. */
export type Manifest = {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string>; annotations?: Record<string, string> }
  [field: string]: any
}

/** Values that an operator adds to a size; the addresses are arbitrary. */
export const contracts = {
  chain: { collection: `0x${'c'.repeat(40)}`, delivery: `0x${'d'.repeat(40)}` },
}

/** Values without which the chart refuses. */
export const required = {
  image: { repository: 'registry.example/nifty' },
  tls: { issuerName: 'pods' },
  store: {
    mailFrom: 'Gallery <hello@gallery.example>',
    operatorEmail: 'office@gallery.example',
    company: {
      name: 'Gallery Ltd',
      number: '0012',
      register: 'Registered in Hamburg',
      address: ['Deichstraße 1'],
      email: 'hello@gallery.example',
    },
  },
}

/** The values of both; those of the second win. */
export const merged = (one: Record<string, any>, two: Record<string, any>): Record<string, any> => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(two).map(([name, value]) => [
      name,
      isMap(one[name]) && isMap(value) ? merged(one[name], value) : value,
    ]),
  ),
})

const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** All objects of an installation, hooks included. `from` is another copy of the chart. */
export async function render(
  { helm }: Tools,
  { size, values = {}, from = chart }: { size: Size; values?: object; from?: string },
): Promise<Manifest[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-values-'))
  try {
    const file = join(folder, 'values.yaml')
    // YAML 1.1, as Helm reads it: an unquoted "yes" is true.
    await writeFile(file, stringify(merged(required, values), { version: '1.1' }))
    const { stdout } = await promisify(execFile)(
      helm,
      ['template', 'nifty', from, '--namespace=shop', `--values=${from}/values-${size}.yaml`, `--values=${file}`],
      { maxBuffer: 16 * 1024 * 1024 },
    )
    // YAML 1.1, as Kubernetes parses it: an unquoted "off" is false.
    return parseAllDocuments(stdout, { version: '1.1' }).flatMap((document) => {
      if (document.errors.length > 0) throw document.errors[0]
      return document.contents ? [document.toJS() as Manifest] : []
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A copy of the chart with one change in one template. */
export async function withMutation(template: string, right: string, wrong: string) {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-chart-'))
  await cp(chart, folder, { recursive: true })
  const file = join(folder, 'templates', template)
  const text = await readFile(file, 'utf8')
  if (!text.includes(right)) throw new Error(`${template} does not contain "${right}"`)
  await writeFile(file, text.replace(right, wrong))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

export const named = (manifest: Manifest) => `${manifest.kind} ${manifest.metadata.name}`
export const ofKind = (manifests: Manifest[], ...kinds: string[]) =>
  manifests.filter(({ kind }) => kinds.includes(kind))
