import { serviceNames } from '@nifty/api/services'
import { describe, expect, test } from 'vitest'
import { groupsOf } from '../observability/rules.ts'
import { contracts, ofKind, render } from './chart.ts'
import { matches } from './rules.ts'
import { findTools } from './tools.ts'

const tools = await findTools()

describe.skipIf(!tools)('monitoring', () => {
  test('scrapes every component on a port that policies allow, and embeds alerts and dashboard unchanged', async () => {
    const manifests = await render(tools!, { size: 'medium' })
    const monitors = ofKind(manifests, 'ServiceMonitor')
    expect(monitors.map(({ metadata }) => metadata.name).sort()).toEqual(
      ofKind(manifests, 'Deployment')
        .map(({ metadata }) => metadata.name)
        .sort(),
    )
    for (const { spec } of monitors) {
      const [service] = ofKind(manifests, 'Service').filter((each) =>
        matches(spec.selector.matchLabels, each.metadata.labels!),
      )
      const port = service!.spec.ports.find(({ name }: any) => name === spec.endpoints[0].port)
      expect(port.port).toBe(3100)
      expect(spec.endpoints[0]).toMatchObject({ path: '/metrics', relabelings: [{ targetLabel: 'component' }] })
    }
    const [alerts] = ofKind(manifests, 'PrometheusRule')
    expect(alerts!.spec.groups).toEqual(['alerts.yaml', 'kubernetes.yaml'].flatMap(groupsOf))
    const [dashboard] = ofKind(manifests, 'ConfigMap').filter(({ metadata }) => metadata.labels!.grafana_dashboard)
    expect(JSON.parse(dashboard!.data['nifty.json'])).toHaveProperty('panels')
    const elsewhere = { monitoring: { runbooksUrl: 'https://git.example/nifty/runbooks/', dashboard: false } }
    const linked = await render(tools!, { size: 'medium', values: elsewhere })
    expect(ofKind(linked, 'PrometheusRule')[0]!.spec.groups[0].rules[0].annotations.runbook_url).toBe(
      'https://git.example/nifty/runbooks/NiftyOrderStuck.md',
    )
    expect(ofKind(linked, 'ConfigMap').filter(({ metadata }) => metadata.labels!.grafana_dashboard)).toEqual([])
    const without = await render(tools!, { size: 'small', values: contracts })
    expect(ofKind(without, 'ServiceMonitor', 'PrometheusRule')).toEqual([])
  })

  test('names the release in the alerts and panels of Kubernetes, and adds one of sales with a number', async () => {
    const values = { fullnameOverride: 'gallery', alerts: { minSalesPerHour: 12 } }
    const manifests = await render(tools!, { size: 'medium', values })
    const [alerts] = ofKind(manifests, 'PrometheusRule')
    const { groups } = alerts!.spec
    const [missing] = groups.find(({ name }: any) => name === 'gallery-kubernetes').rules
    expect(missing.expr).toContain('{namespace="shop",deployment=~"gallery-.+"}')
    expect(groups.at(-1).rules[0].expr).toContain('sum(increase(nifty_sales_total[1h])) < 12 and')
    const [dashboard] = ofKind(manifests, 'ConfigMap').filter(({ metadata }) => metadata.labels!.grafana_dashboard)
    const queries = JSON.parse(dashboard!.data['nifty.json']).panels.flatMap(({ targets = [] }: any) => targets)
    const ofOthers = queries.map(({ expr }: any) => expr).filter((expr: string) => /\bkube/.test(expr))
    expect(ofOthers).toHaveLength(2)
    for (const expr of ofOthers) expect(expr).toContain('namespace="shop"')
    expect(ofOthers.join()).toContain('deployment=~"gallery-.+"')
  })

  test('lets a Prometheus of any kind reach every component, unless `network.metrics` is off', async () => {
    const reached = async (network: object) =>
      ofKind(await render(tools!, { size: 'small', values: { network } }), 'NetworkPolicy')
        .filter(({ spec }) =>
          (spec.ingress ?? []).some(
            ({ from, ports }: any) =>
              ports[0].port === 3100 &&
              from[0].namespaceSelector?.matchLabels['kubernetes.io/metadata.name'] === 'observability',
          ),
        )
        .map(({ metadata }) => metadata.name)
        .sort()
    const every = ['gateway', ...serviceNames].map((name) => `nifty-${name}`).sort()

    expect(await reached({ monitoringNamespace: 'observability' })).toEqual(every)
    expect(await reached({ monitoringNamespace: 'observability', metrics: false })).toEqual([])
  })
})
