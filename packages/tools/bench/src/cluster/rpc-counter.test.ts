import { startAnvil } from '@nifty/dev-servers/anvil'
import { afterAll, expect, test } from 'vitest'
import { startRpcCounter } from './rpc-counter.ts'

const anvil = await startAnvil({ blocks: 'by-transaction' })
afterAll(anvil.stop)

test('calls are passed on and counted, each call of a batch', async () => {
  const counter = await startRpcCounter(anvil.url)
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
  const send = async (body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(counter.url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
  }

  const reply = { jsonrpc: '2.0', id: 1, result: '0x7a69' }
  expect(await send(call)).toEqual(reply)
  expect(await send([call, { ...call, id: 2 }])).toEqual([reply, { ...reply, id: 2 }])
  expect(counter.calls()).toBe(3)
  await counter.stop()
})

test('a node that is gone closes the connection, as without the counter', async () => {
  const counter = await startRpcCounter('http://127.0.0.1:1')
  await expect(fetch(counter.url, { method: 'POST', body: '{}' })).rejects.toThrow('fetch failed')
  await counter.stop()
})
