import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenIn, faultsOf, readFigures } from '../observability/promql.ts'
import { expressions, rules } from '../observability/rules.ts'
import { files, root } from './tree.ts'

const runbooks = files.flatMap((file) => /^deploy\/runbooks\/(.+)\.md$/.exec(file)?.[1] ?? [])

test('there are alerts', () => expect(rules.length).toBeGreaterThan(15))

test.each(expressions)('$of asks what Prometheus understands: $expression', ({ expression }) => {
  expect(brokenIn(expression)).toEqual([])
})

test('every alert has its runbook, and every runbook its alert', () => {
  expect(runbooks.sort()).toEqual([...new Set(rules.map(({ alert }) => alert))].sort())
})

test.each(rules)('$alert ($labels.severity) says how bad it is, what it is, and what to read', (rule) => {
  const { alert, labels, annotations, for: lasting } = rule
  expect(['page', 'warning']).toContain(labels.severity)
  expect(lasting).toMatch(/^\d+m$/)
  expect(annotations.summary.length).toBeGreaterThan(10)
  expect(annotations.description.length).toBeGreaterThan(20)
  expect(annotations.runbook_url).toBe(`deploy/runbooks/${alert}.md`)
})

test.each(runbooks)('the runbook %s answers what a person asks', (name) => {
  const text = readFileSync(join(root, `deploy/runbooks/${name}.md`), 'utf8')
  expect(text.split('\n')[0]).toBe(`# ${name}`)
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual([
    'What it means',
    'What customers see',
    'What to look at',
    'What to do',
    'Over when',
    'Tried',
  ])
})

const shown = readFigures(`# TYPE nifty_retry_messages gauge
nifty_retry_messages{state="given_up"} 0
# TYPE nifty_silent gauge
# TYPE nifty_request_seconds histogram
nifty_request_seconds_bucket{le="0.1",route="/a{b}"} 1
`)

test.each([
  ['max by (part) (nifty_retry_messages{state="given_up"}) > 0', []],
  ['nifty_silent == 0', []],
  ['histogram_quantile(0.95, sum by (le) (rate(nifty_request_seconds_bucket{route="/a{b}"}[$__rate_interval])))', []],
  ['max by (part (nifty_silent)', [/does not parse/]],
  ['rate(nifty_silent[5q])', [/does not parse/]],
  ['nifty_retry_mesages > 0', [/nobody shows nifty_retry_mesages/]],
  ['nifty_request_seconds > 0', [/nobody shows nifty_request_seconds/]],
  ['nifty_retry_messages{stat="given_up"} > 0', [/no label stat/]],
  ['sum by (event) (nifty_silent)', [/no label event/]],
])('the checker judges %s', (expression, faults) => {
  expect(faultsOf(expression, shown)).toEqual(faults.map((fault) => expect.stringMatching(fault)))
})
