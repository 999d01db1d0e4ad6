import { parser } from '@prometheus-io/lezer-promql'

/** What a scrape adds to every figure: by the chart's ServiceMonitors, or by whoever configures Prometheus. */
const ofEveryTarget = ['part', 'instance', 'job']

/** The names of figures that are shown, each with its labels. */
export type Shown = Map<string, Set<string>>

/** What a text in the form of Prometheus shows, added to what is known. */
export function readFigures(text: string, shown: Shown = new Map()): Shown {
  const labelsOf = (name: string) => {
    const known = shown.get(name) ?? new Set(ofEveryTarget)
    shown.set(name, known)
    return known
  }
  for (const line of text.split('\n')) {
    const [, declared, kind] = /^# TYPE (\S+) (\S+)/.exec(line) ?? []
    // A figure that says nothing at this moment exists, too.
    if (declared && kind !== 'histogram') labelsOf(declared)
    const [, name, labels = ''] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    if (name) for (const [, label] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) labelsOf(name).add(label!)
    if (name) labelsOf(name)
  }
  return shown
}

/** Grafana puts its variables in before Prometheus sees the expression. */
const asPrometheusSeesIt = (expression: string) => expression.replaceAll('$__rate_interval', '5m')

function read(written: string) {
  const expression = asPrometheusSeesIt(written)
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

/** Where an expression does not parse. */
export const brokenIn = (expression: string): string[] => read(expression).broken

/** What is wrong with an expression: it does not parse, or names a figure or a label that nobody shows. */
export function faultsOf(expression: string, shown: Shown): string[] {
  const { broken, names, labels } = read(expression)
  if (broken.length > 0) return broken
  if (names.length === 0) return ['names no figure']
  const unknown = names.filter((name) => !shown.has(name))
  if (unknown.length > 0) return unknown.map((name) => `nobody shows ${name}`)
  const known = new Set(names.flatMap((name) => [...shown.get(name)!]))
  return labels.filter((label) => !known.has(label)).map((label) => `${names.join(', ')} has no label ${label}`)
}
