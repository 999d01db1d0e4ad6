import { expect, test } from 'vitest'
import { queryErrors, readMetrics, syntaxErrors } from '../observability/promql.ts'
import { expressions, rules } from '../observability/rules.ts'

test('there are alerts', () => expect(rules.length).toBeGreaterThan(15))

test.each(expressions)('$of is valid PromQL: $expression', ({ expression }) => {
  expect(syntaxErrors(expression)).toEqual([])
})

test.each(rules)('$alert ($labels.severity) has a severity, a summary, a description and a runbook', (rule) => {
  const { alert, labels, annotations, for: lasting } = rule
  expect(['page', 'warning']).toContain(labels.severity)
  expect(lasting).toMatch(/^\d+m$/)
  expect(annotations.summary.length).toBeGreaterThan(10)
  expect(annotations.description.length).toBeGreaterThan(20)
  expect(annotations.runbook_url).toBe(`deploy/runbooks/${alert}.md`)
})

test('refusals with a status that the hour before did not have raise the alert too', () => {
  const { expr } = rules.find(({ alert }) => alert === 'NiftyRefusalsRising')!
  // A comparison with a series that is missing selects none, which `and` would take for "no rise".
  expect(expr).toMatch(/\) > 1\s+unless .+ <= 3 \* .+ offset 5m/s)
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
