import { describe, expect, test } from 'vitest'
import { contracts, ofKind, render } from './chart.ts'
import { matches } from './rules.ts'
import { findTools } from './tools.ts'

const tools = await findTools()

describe.skipIf(!tools)('what watches the store', () => {
  test('has Prometheus ask every part where the network lets it, and name the part', async () => {
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
      const asked = service!.spec.ports.find(({ name }: any) => name === spec.endpoints[0].port)
      expect(asked.port).toBe(3100)
      expect(spec.endpoints[0]).toMatchObject({ path: '/metrics', relabelings: [{ targetLabel: 'part' }] })
    }
    const without = await render(tools!, { size: 'small', values: contracts })
    expect(JSON.stringify(ofKind(without, 'NetworkPolicy'))).not.toContain('monitoring')
    expect(ofKind(without, 'ServiceMonitor')).toEqual([])
  })
})
