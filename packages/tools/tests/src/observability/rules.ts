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

const folder = join(root, 'deploy/helm/observability')

/** All alert rules. */
export const rules: Rule[] = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
)

type Panel = { title: string; targets?: { expr: string }[] }
const { panels }: { panels: Panel[] } = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8'))

/** All PromQL expressions of alerts and dashboard, with the alert's or panel's name. */
export const expressions: { of: string; expression: string }[] = [
  ...rules.map(({ alert, labels, expr }) => ({ of: `${alert} (${labels.severity})`, expression: expr })),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ of: title, expression: expr }))),
]
