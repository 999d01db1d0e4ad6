import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { chart } from './chart.ts'

type Schema = { description?: string; $ref?: string; properties?: Record<string, Schema> }
type Row = { parameter: string; description: string | undefined; default: unknown }

const read = (file: string) => readFileSync(join(chart, file), 'utf8')

/** Every value of the chart with its description in the schema and its default; `services.<name>` once, as for auth. */
export function valueRows(): Row[] {
  const schema = JSON.parse(read('values.schema.json'))
  const values = parse(read('values.yaml'))
  const { services, ...others } = schema.properties as Record<string, Schema>
  const service: Schema = schema.$defs.service
  return [...rowsOf({ properties: others }, values, ''), ...rowsOf(service, values.services.auth, 'services.<name>.')]
}

function rowsOf({ properties = {} }: Schema, values: Record<string, any>, prefix: string): Row[] {
  return Object.entries(properties)
    .filter(([name]) => name in values)
    .flatMap(([name, each]) =>
      each.properties
        ? rowsOf(each, values[name], `${prefix}${name}.`)
        : [{ parameter: prefix + name, description: each.description, default: values[name] }],
    )
}

/** Values of objects with several lines stand in values.yaml only. */
function shown(parameter: string, value: unknown): string {
  const json = JSON.stringify(value)
  if (json.length > 40) return 'see values.yaml'
  return parameter.startsWith('services.') ? `\`${json}\` for auth` : `\`${json}\``
}

/** The table of README.md. */
export function valuesTable(): string {
  const rows = valueRows().map(
    ({ parameter, description, default: value }) =>
      `| \`${parameter}\` | ${description?.replaceAll('|', '\\|')} | ${shown(parameter, value)} |`,
  )
  return ['| parameter | description | default |', '| --- | --- | --- |', ...rows].join('\n')
}

const start = /<!-- values table[^>]*-->\n/
const end = '<!-- end of values table -->'

/** README.md with the present table in place of its own. */
export function withValuesTable(readme: string): string {
  const [marker = ''] = start.exec(readme) ?? []
  const [before, after] = [readme.indexOf(marker) + marker.length, readme.indexOf(end)]
  if (!marker || after < before) throw new Error('README.md has no markers of the values table')
  return `${readme.slice(0, before)}${valuesTable()}\n${readme.slice(after)}`
}

if (import.meta.main) writeFileSync(join(chart, 'README.md'), withValuesTable(read('README.md')))
