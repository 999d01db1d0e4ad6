import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { internalUrlVariable, type ServiceName, serviceNames, servicesCalledBy, urlVariable } from '@nifty/api/services'
import * as store from '@nifty/api/store'
import * as shared from '@nifty/service-kit/base/env'
import * as resources from '@nifty/service-kit/base/resources'
import { serviceKeyVariables } from '@nifty/service-kit/http/service-keys'
import * as uploads from '@nifty/service-kit/objects/object-settings'
import { IsOptional } from 'typebox'
import { root } from '../repo-rules/tree.ts'

export type Variable = { name: string; needed: boolean }

/** Schemas that an entry names instead of writing them out. */
const named: Record<string, any> = { ...shared, ...store, ...resources, ...uploads }

/** Read by all components, the gateway included. */
const everyComponent = ['packages/service-kit/src/base/open-traces.ts']
const everyService = [
  'packages/service-kit/src/service/service-process.ts',
  'packages/service-kit/src/messaging/kafka/settings.ts',
]

/** The settings of all components: the entries of their `Env` schemas, without addresses and keys between services. */
export const settings = [
  ...new Set(
    variablesIn([
      'gateway/src/config.ts',
      ...serviceNames.map((name) => `services/${name}/src/config.ts`),
      ...everyComponent,
      ...everyService,
    ]).map(({ name }) => name),
  ),
]

/**
 * Variables that a component reads, from the `Env` schemas in its sources. It does not start without a `needed` one.
 */
export function variablesOf(component: string): Variable[] {
  if (component === 'gateway') {
    const serviceUrls = serviceNames.map((name) => ({ name: urlVariable(name), needed: true }))
    return [...serviceUrls, ...variablesIn(['gateway/src/config.ts', ...everyComponent])]
  }
  const calls = servicesCalledBy(component as ServiceName)
  const peerUrls = calls.map((name) => ({ name: internalUrlVariable(name), needed: true }))
  const keys = serviceKeyVariables(component as ServiceName).map((name) => ({ name, needed: true }))
  return [
    ...peerUrls,
    ...keys,
    ...variablesIn([`services/${component}/src/config.ts`, ...everyComponent, ...everyService]),
  ]
}

/** The entries of the `Env` schemas of these files, as text. */
export function entriesIn(sources: string[]): { name: string; entry: string }[] {
  return sources.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    if (text.includes('const Env = Type.Object({})')) return []
    const [, entries] = /const Env = Type\.Object\(\{\n([\s\S]*?)\n\}\)/.exec(text) ?? []
    if (!entries) throw new Error(`${file} has no \`const Env = Type.Object({…})\` with a setting in each line, or {}`)
    // With the comment above it. One entry ends where the next one or its comment begins.
    const pattern =
      /^(?: {2}\/\*\*[\s\S]*?\*\/\n)? {2}([A-Z][A-Z0-9_]*):[\s\S]*?(?=\n {2}(?:\/\*\*|[A-Z.])|(?![\s\S]))/gm
    const found = [...entries.matchAll(pattern)].map(([entry, name = '']) => ({ name, entry }))
    if (found.length !== entries.match(/^ {2}[A-Z]/gm)?.length) throw new Error(`${file}: cannot parse its Env schema`)
    return found
  })
}

/** The schema that an entry names, such as `PublicUrl` or `companySettings.name`. */
function schemaOf(entry: string): object | undefined {
  const [, path = ''] = /^ {2}[A-Z][A-Z0-9_]*: ([\w.]+),?$/m.exec(entry) ?? []
  return path.split('.').reduce((value, key) => value?.[key], named)
}

/** The default of an entry as text, in place or of the schema that it names; undefined without one. */
export function defaultOf(entry: string): string | undefined {
  const [, written] = /default: ('[^']*'|[\d_.]+|true|false)/.exec(entry) ?? []
  if (written) return /^\d/.test(written) ? written.replaceAll('_', '') : written.replaceAll("'", '')
  const { default: value } = (schemaOf(entry) ?? {}) as { default?: unknown }
  return value === undefined ? undefined : String(value)
}

function variablesIn(sources: string[]): Variable[] {
  return entriesIn(sources).map(({ name, entry }) => ({
    name,
    needed: !entry.includes('Type.Optional') && !IsOptional(schemaOf(entry)) && defaultOf(entry) === undefined,
  }))
}
