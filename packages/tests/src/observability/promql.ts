import { parser } from '@prometheus-io/lezer-promql'

/** Labels that the scrape configuration adds to every metric. */
const targetLabels = ['component', 'instance', 'job']

/** Names of exported metrics, each with its labels. */
export type ExportedMetrics = Map<string, Set<string>>

/** Adds the metrics of a text in Prometheus' exposition format to `exported`. */
export function readMetrics(text: string, exported: ExportedMetrics = new Map()): ExportedMetrics {
  const labelsOf = (name: string) => {
    const known = exported.get(name) ?? new Set(targetLabels)
    exported.set(name, known)
    return known
  }
  for (const line of text.split('\n')) {
    const [, declared, kind] = /^# TYPE (\S+) (\S+)/.exec(line) ?? []
    // A declared metric without a sample exists, too.
    if (declared && kind !== 'histogram') labelsOf(declared)
    const [, name, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (name) for (const [, label] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) labelsOf(name).add(label!)
    if (name) labelsOf(name)
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
  parser.parse(expression).iterate({
    enter: ({ type, from, to }) => {
      const text = expression.slice(from, to)
      if (type.isError) broken.push(`does not parse at ${from}: ${expression.slice(from) || 'its end'}`)
      if (type.name === 'Identifier') names.push(text)
      if (type.name === 'LabelName') labels.push(text)
    },
  })
  return { broken: broken.slice(0, 1), names, labels }
}

/** Position of the first syntax error, if any. */
export const syntaxErrors = (expression: string): string[] => read(expression).broken

/** Errors of an expression: syntax, or a metric or label that is not exported. */
export function queryErrors(expression: string, exported: ExportedMetrics): string[] {
  const { broken, names, labels } = read(expression)
  if (broken.length > 0) return broken
  if (names.length === 0) return ['contains no metric']
  const unknown = names.filter((name) => !exported.has(name))
  if (unknown.length > 0) return unknown.map((name) => `no metric ${name}`)
  const known = new Set(names.flatMap((name) => [...exported.get(name)!]))
  return labels.filter((label) => !known.has(label)).map((label) => `${names.join(', ')} has no label ${label}`)
}
