import { parser } from '@prometheus-io/lezer-promql'

/** Labels that the scrape configuration adds to every metric. */
const targetLabels = ['component', 'instance', 'job']

/** Values by label. */
type Labels = Map<string, Set<string>>

/** Names of exported metrics, each with its labels. */
export type ExportedMetrics = Map<string, Labels>

const quoted = '"((?:[^"\\\\]|\\\\.)*)"'

/** Adds the metrics of a text in Prometheus' exposition format to `exported`. */
export function readMetrics(text: string, exported: ExportedMetrics = new Map()): ExportedMetrics {
  const labelsOf = (name: string) => {
    const known: Labels = exported.get(name) ?? new Map(targetLabels.map((label) => [label, new Set()]))
    exported.set(name, known)
    return known
  }
  for (const line of text.split('\n')) {
    const [, declared, kind] = /^# TYPE (\S+) (\S+)/.exec(line) ?? []
    // A declared metric without a sample exists, too.
    if (declared && kind !== 'histogram') labelsOf(declared)
    const [, name, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (!name) continue
    const known = labelsOf(name)
    for (const [, label, value] of labels.matchAll(new RegExp(`(\\w+)=${quoted}`, 'g')))
      known.set(label!, (known.get(label!) ?? new Set()).add(value!))
  }
  return exported
}

/** Grafana replaces its variables before it queries Prometheus. */
const withoutGrafanaVariables = (expression: string) => expression.replaceAll('$__rate_interval', '5m')

function read(written: string) {
  const expression = withoutGrafanaVariables(written)
  const broken: string[] = []
  const names: string[] = []
  const labels: string[] = []
  const selectors: string[] = []
  parser.parse(expression).iterate({
    enter: ({ type, from, to }) => {
      const text = expression.slice(from, to)
      if (type.isError) broken.push(`does not parse at ${from}: ${expression.slice(from) || 'its end'}`)
      if (type.name === 'Identifier') names.push(text)
      if (type.name === 'LabelName') labels.push(text)
      if (type.name === 'VectorSelector') selectors.push(text)
    },
  })
  return { broken: broken.slice(0, 1), names, labels, selectors }
}

/** Position of the first syntax error, if any. */
export const syntaxErrors = (expression: string): string[] => read(expression).broken

/** Errors of an expression: syntax, or a metric, a label or a label's value that is not exported. */
export function queryErrors(expression: string, exported: ExportedMetrics): string[] {
  const { broken, names, labels, selectors } = read(expression)
  if (broken.length > 0) return broken
  if (names.length === 0) return ['contains no metric']
  const unknown = names.filter((name) => !exported.has(name))
  if (unknown.length > 0) return unknown.map((name) => `no metric ${name}`)
  const known = new Set(names.flatMap((name) => [...exported.get(name)!.keys()]))
  return [
    ...labels.filter((label) => !known.has(label)).map((label) => `${names.join(', ')} has no label ${label}`),
    ...selectors.flatMap((selector) => valueErrors(selector, exported)),
  ]
}

/** Compared values that no sample has. Counters are left out: a value exists from its first event on. */
function valueErrors(selector: string, exported: ExportedMetrics): string[] {
  const [name = ''] = /^[a-zA-Z_:][\w:]*/.exec(selector) ?? []
  if (name.endsWith('_total')) return []
  return [...selector.matchAll(new RegExp(`(\\w+)\\s*!?=\\s*${quoted}`, 'g'))].flatMap(([, label, value]) => {
    const values = exported.get(name)?.get(label!)
    return targetLabels.includes(label!) || !values || values.has(value!) ? [] : [`no ${name} with ${label} ${value}`]
  })
}
