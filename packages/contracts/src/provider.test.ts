import { startAnvil } from '@nifty/dev-servers/anvil'
import { inService, inSpan, setTracer } from '@nifty/service-kit/base/trace'
import { expect, onTestFinished, test } from 'vitest'
import { confirmChain, connectChain } from './provider.ts'

const rich = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('a connection uses the configured chain id and detects a node of another chain', async () => {
  const chain = await startAnvil({ blocks: 'by-transaction' })
  onTestFinished(chain.stop)
  const right = connectChain({ rpcUrl: chain.url })
  const wrong = connectChain({ rpcUrl: chain.url, chainId: 137 })

  await confirmChain(right)
  await expect(confirmChain(wrong)).rejects.toThrow('serves chain 31337, but 137 is configured')
  expect((await wrong.getNetwork()).name).toBe('polygon')
  // A plugin of the network is what would call a gas station.
  expect((await wrong.getNetwork()).plugins).toEqual([])
  expect((await wrong.getFeeData()).maxFeePerGas).toBeGreaterThan(0n)
  expect(await right.getBalance(rich)).toBe(10_000n * 10n ** 18n)

  for (const provider of [right, wrong]) provider.destroy()
})

test('calls that ethers sends together keep the spans of their callers', async () => {
  const parents: Record<string, string | undefined> = {}
  setTracer(({ name, parent }) => {
    parents[name] = parent
    return { ids: { trace_id: name, span_id: name }, traceparent: name, setAttributes: () => {}, end: () => {} }
  })
  onTestFinished(() => setTracer(undefined))
  const chain = await startAnvil({ blocks: 'by-transaction' })
  onTestFinished(chain.stop)
  const provider = connectChain({ rpcUrl: chain.url })
  const call = (caller: string, method: string) =>
    inService('minting', () => inSpan({ name: caller, root: true }, () => provider.send(method, [])))

  await Promise.all([call('tracker', 'eth_blockNumber'), call('delivery', 'eth_gasPrice')])
  expect(parents).toMatchObject({ eth_blockNumber: 'tracker', eth_gasPrice: 'delivery' })

  provider.destroy()
})
