import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../repo-rules/tree.ts'

export type Rule = {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; description: string; runbook_url: string }
}
type Recorded = { record: string; expr: string }

const folder = join(root, 'deploy/helm/observability')
const read = (file: string) => parse(readFileSync(join(folder, file), 'utf8'))

/** The groups of a file of rules, alerts and recorded expressions. */
export const groupsOf = (file: string): { name: string; rules: (Rule | Recorded)[] }[] => read(file).groups

const isAlert = (rule: Rule | Recorded): rule is Rule => 'alert' in rule
const all = (file: string) => groupsOf(file).flatMap(({ rules }) => rules)
const alertsOf = (file: string) => all(file).filter(isAlert)

export const ruleFiles = ['alerts.yaml', 'sales.yaml', 'kubernetes.yaml']

/** All alert rules. */
export const rules: Rule[] = ruleFiles.flatMap(alertsOf)

/** Prometheus' own metric of its alerts, in its exposition format. */
export const alertsMetric = rules.map(({ alert }) => `ALERTS{alertname="${alert}",alertstate="firing"} 1`).join('\n')

/** Of Alertmanager: alerts, and those that notify nobody while they fire. */
export const inhibitions: { source_matchers: string[]; target_matchers: string[] }[] =
  read('inhibition.yaml').inhibit_rules

const recorded = all('alerts.yaml').filter((rule) => !isAlert(rule)) as Recorded[]

/** With the expression of what is recorded in place of its name; one may use those that are recorded before it. */
const expanded = (expression: string) =>
  recorded.reduceRight((text, { record, expr }) => text.replaceAll(record, `(${expr})`), expression)

type Panel = { title: string; targets?: { expr: string }[] }
const { panels }: { panels: Panel[] } = read('dashboard.json')
const onPanels = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: title, expr })))

/** Metrics of exporters beside the store. */
const isForeign = (expression: string) => /\b(kube|kubelet|certmanager|cnpg)_/.test(expression)

type Expression = { of: string; expression: string }
const everyExpression: Expression[] = [
  ...rules.map(({ alert, labels, expr }) => ({ of: `${alert} (${labels.severity})`, expression: expanded(expr) })),
  ...onPanels.map(({ of, expr }) => ({ of, expression: expanded(expr) })),
]

/** All PromQL expressions of alerts and dashboard, with the alert's or panel's name. */
export const expressions = everyExpression
/** Those on metrics that the components export. */
export const ownExpressions = everyExpression.filter(({ expression }) => !isForeign(expression))
