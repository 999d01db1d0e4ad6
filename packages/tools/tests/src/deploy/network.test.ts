import { endpoints } from '@nifty/api/endpoints/all'
import { serviceNames } from '@nifty/api/services'
import { describe, expect, test } from 'vitest'
import { ofKind, render } from './chart.ts'
import { findTools } from './tools.ts'

const tools = await findTools()

describe.skipIf(!tools)('the chart', () => {
  test('buffers every request but the uploads, which have an Ingress of their own', async () => {
    const ingresses = ofKind(await render(tools!, { size: 'small' }), 'Ingress')
    const bufferedBy = Object.fromEntries(
      ingresses.map(({ metadata, spec }) => [
        metadata.annotations!['nginx.ingress.kubernetes.io/proxy-request-buffering'],
        spec.rules[0].http.paths.map(({ path }: { path: string }) => path),
      ]),
    )
    const uploads = serviceNames
      .flatMap((name) => endpoints[name].public)
      .filter(({ consumes }) => consumes === 'multipart/form-data')
      .map(({ path }) => path.replace(/:\w+/g, '[^/]+'))
    expect(bufferedBy).toEqual({ on: ['/'], off: uploads.sort() })
  })

  test('buffers every response', async () => {
    const ingresses = ofKind(await render(tools!, { size: 'small' }), 'Ingress')
    expect(ingresses.length).toBeGreaterThan(1)
    for (const { metadata } of ingresses)
      expect(metadata.annotations!['nginx.ingress.kubernetes.io/proxy-buffering'], metadata.name).toBe('on')
  })

  test('lets auth reach the internet only where contract wallets may prove themselves', async () => {
    const egressOf = async (contractWallets: boolean) => {
      const manifests = await render(tools!, { size: 'small', values: { chain: { contractWallets } } })
      const policies = ofKind(manifests, 'NetworkPolicy')
      return JSON.stringify(policies.find(({ metadata }) => metadata.name === 'nifty-auth')!.spec.egress)
    }
    expect(await egressOf(true)).toContain('0.0.0.0/0')
    expect(await egressOf(false)).not.toContain('0.0.0.0/0')
  })

  test('lets services reach the internet, and no private or shared address', async () => {
    const policies = ofKind(await render(tools!, { size: 'small' }), 'NetworkPolicy')
    const open = policies
      .flatMap(({ spec }) => (spec.egress ?? []).flatMap(({ to = [] }: any) => to))
      .filter(({ ipBlock }: any) => ipBlock?.cidr === '0.0.0.0/0')
    expect(open.length).toBeGreaterThan(0)
    const excepted = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
    for (const { ipBlock } of open) expect([...ipBlock.except].sort()).toEqual(excepted)
  })
})
