import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMap, isScalar, type Pair, parse, parseDocument } from 'yaml'
import { chart } from './chart.ts'

type Schema = { description?: string; $ref?: string; properties?: Record<string, Schema> }
type Row = { parameter: string; description: string | undefined }

const WIDTH = 120
export const valuesFile = join(chart, 'values.yaml')

/** Every value of the chart with its description in the schema; `services.<name>` once, as for auth. */
export function valueRows(): Row[] {
  const schema = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8'))
  const values = parse(readFileSync(valuesFile, 'utf8'))
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
        : [{ parameter: prefix + name, description: each.description }],
    )
}

/** values.yaml with the description of each value above it, those of `services.<name>` above `services`. */
export function withDescriptions(yaml: string): string {
  const rows = valueRows()
  const ofServices = rows.filter(({ parameter }) => parameter.startsWith('services.'))
  const texts = new Map(rows.map(({ parameter, description }) => [parameter, [description ?? '']]))
  texts.set(
    'services',
    ofServices.map(({ parameter, description }) => `${parameter}: ${description}`),
  )

  const lines = yaml.split('\n')
  const found = [...linesOfKeys(yaml)].filter(([parameter]) => texts.has(parameter))
  // From the last one on, so that the numbers of the lines above stay.
  for (const [parameter, line] of found.sort(([, a], [, b]) => b - a)) {
    const indent = /^ */.exec(lines[line]!)![0]
    let first = line
    while (lines[first - 1]?.startsWith(`${indent}#`)) first--
    lines.splice(first, line - first, ...texts.get(parameter)!.flatMap((text) => wrapped(text, `${indent}# `)))
  }
  return lines.join('\n')
}

/** Line of each key by the path of its value. */
function linesOfKeys(yaml: string): Map<string, number> {
  const lines = new Map<string, number>()
  const collect = (items: Pair[], prefix: string) => {
    for (const { key, value } of items) {
      if (!isScalar(key)) continue
      lines.set(prefix + key.value, yaml.slice(0, key.range![0]).split('\n').length - 1)
      if (isMap(value)) collect(value.items as Pair[], `${prefix}${key.value}.`)
    }
  }
  const { contents } = parseDocument(yaml)
  if (isMap(contents)) collect(contents.items as Pair[], '')
  return lines
}

/** Lines of a comment. */
export function wrapped(text: string, prefix: string): string[] {
  const lines: string[] = []
  let line = prefix.trimEnd()
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = prefix.trimEnd()
    }
    line += ` ${word}`
  }
  return [...lines, line]
}
