import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { alertLimits } from '@nifty/api/alert-limits'
import { expect, test } from 'vitest'
import { queryErrors, readMetrics, syntaxErrors } from '../observability/promql.ts'
import { expressions, inhibitions, rules } from '../observability/rules.ts'
import { root, sources } from './tree.ts'

test('there are alerts', () => expect(rules.length).toBeGreaterThan(15))

test.each(expressions)('$of is valid PromQL: $expression', ({ expression }) => {
  expect(syntaxErrors(expression)).toEqual([])
})

test.each(rules)('$alert ($labels.severity) has a severity, a summary, a description and a runbook', (rule) => {
  const { alert, labels, annotations, for: lasting } = rule
  expect(['page', 'warning']).toContain(labels.severity)
  expect(lasting).toMatch(/^\d+[mh]$/)
  expect(annotations.summary.length).toBeGreaterThan(10)
  expect(annotations.description.length).toBeGreaterThan(20)
  expect(annotations.runbook_url).toBe(`deploy/runbooks/${alert}.md`)
})

test('refusals with a status that the hour before did not have raise the alert too', () => {
  const { expr } = rules.find(({ alert }) => alert === 'NiftyRefusalsRising')!
  // A comparison with a series that is missing selects none, which `and` would take for "no rise".
  expect(expr).toMatch(/\) > 1\s+unless .+ <= 3 \* .+ offset 5m/s)
})

test('`ops status` and the office have the limits of the alerts', () => {
  for (const [alert, limits] of Object.entries<Record<string, number>>(alertLimits)) {
    const compared = rules
      .filter((rule) => rule.alert === alert)
      .flatMap(({ expr }) => [...expr.matchAll(/[<>] (\d+)/g)].map(([, limit]) => Number(limit)))
    expect(compared, alert).toEqual(expect.arrayContaining(Object.values(limits)))
  }
})

test('inhibition names alerts that exist, and none is silenced by what it silences', () => {
  const names = new Set(rules.map(({ alert }) => alert))
  const namesIn = (matchers: string[]) => {
    const [, listed = ''] = /^alertname=~?"([^"]+)"$/.exec(matchers.join()) ?? []
    return listed.split('|')
  }
  const pairs = inhibitions.map((rule) => ({
    causes: namesIn(rule.source_matchers),
    silenced: namesIn(rule.target_matchers),
  }))
  expect(pairs.map(({ causes }) => causes)).toEqual([
    ['NiftyDatabaseUnreachable'],
    ['NiftyKafkaUnreachable'],
    ['NiftyChainNodeUnreachable'],
    ['NiftyProcessorUnreachable'],
    ['NiftyPicturesUnavailable'],
    ['NiftyPasswordSpraying'],
    ['NiftyComponentDown'],
  ])
  const causes = new Set(pairs.flatMap((each) => each.causes))
  for (const { silenced } of pairs) {
    expect(silenced.filter((name) => !names.has(name))).toEqual([])
    expect(silenced.filter((name) => causes.has(name))).toEqual([])
  }
})

const written = (file: string) => readFileSync(join(root, file), 'utf8')
const product = sources.filter((file) => /^(services|gateway|packages\/service-kit)\//.test(file) && !/test/.test(file))
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!)

test('the runbook of missing metrics names every collector that its alert is about', () => {
  const collectors = product.flatMap((file) =>
    [...written(file).matchAll(/^ +source: '([^']+)',$/gm)].map(([, name]) => name!),
  )
  const { expr } = rules.find(({ alert }) => alert === 'NiftyMetricsMissing')!
  const others = /source!~"([^"]+)"/.exec(expr)![1]!.split('|')
  const [, list = ''] = /^- (`.+)$/m.exec(written('deploy/runbooks/NiftyMetricsMissing.md')) ?? []
  expect(quoted(list).sort()).toEqual(collectors.filter((name) => !others.includes(name)).sort())
})

test('the runbook of exhausted connections names every pool', () => {
  const further = product.flatMap((file) =>
    [...written(file).matchAll(/\bpools: \{ ([^}]+) \}/g)].map(([, pools]) => pools!),
  )
  const pools = further.flatMap((text) => text.split(', ').map((pool) => pool.split(':')[0]!))
  const [, line = ''] = /label\. (.+)$/m.exec(written('deploy/runbooks/NiftyConnectionsExhausted.md')) ?? []
  expect(quoted(line).sort()).toEqual(['main', ...pools].sort())
})

const exported = readMetrics(`# TYPE nifty_retry_messages gauge
nifty_retry_messages{state="dead_letter"} 0
# TYPE nifty_events_total counter
nifty_events_total{outcome="handled"} 1
# TYPE nifty_silent gauge
# TYPE nifty_request_seconds histogram
nifty_request_seconds_bucket{le="0.1",route="/a{b}"} 1
`)

test.each([
  ['max by (component) (nifty_retry_messages{state="dead_letter"}) > 0', []],
  ['nifty_silent == 0', []],
  ['histogram_quantile(0.95, sum by (le) (rate(nifty_request_seconds_bucket{route="/a{b}"}[$__rate_interval])))', []],
  ['max by (component (nifty_silent)', [/does not parse/]],
  ['rate(nifty_silent[5q])', [/does not parse/]],
  ['nifty_retry_mesages > 0', [/no metric nifty_retry_mesages/]],
  ['nifty_request_seconds > 0', [/no metric nifty_request_seconds/]],
  ['nifty_retry_messages{stat="dead_letter"} > 0', [/no label stat/]],
  ['nifty_retry_messages{state="given_up"} > 0', [/no nifty_retry_messages with state given_up/]],
  ['nifty_retry_messages{component="payments",state!="dead"} > 0', [/with state dead/]],
  ['nifty_retry_messages{state=~"dead.*"} > 0', []],
  ['rate(nifty_events_total{outcome="retried"}[5m])', []],
  ['sum by (event) (nifty_silent)', [/no label event/]],
])('the checker reports errors of %s', (expression, faults) => {
  expect(queryErrors(expression, exported)).toEqual(faults.map((fault) => expect.stringMatching(fault)))
})
