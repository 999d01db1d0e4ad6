import type { RunFile } from '@nifty/local/run-file'
import { expect, test } from 'vitest'
import { readChain } from './chain.ts'
import type { Servers } from './servers.ts'

const address = '0x91aeb7d670da43f628a1db6e074cee3393303165'

/** Reads a chain whose node lacks block 2 for this many requests. */
async function readWithout(requests: number) {
  let head = 3
  let asked = 0
  const answers: Record<string, (params: unknown[]) => unknown> = {
    eth_blockNumber: () => `0x${(head++).toString(16)}`,
    eth_getLogs: () => [],
    eth_getBlockByNumber: ([number]) => {
      if (number === '0x2' && asked++ < requests) return null
      return { number, transactions: [{ hash: `hash of ${number}`, from: address, nonce: number }] }
    },
  }
  const servers = { chain: async (method: string, params: unknown[]) => answers[method]!(params) } as Servers
  const run = { contracts: { delivery: address, collection: address } } as RunFile
  return (await readChain(run, servers)).transactions.map(({ block }) => block)
}

test('a block that the node has a little later is read', async () => {
  expect(await readWithout(2)).toEqual([0, 1, 2, 3])
})

test('a block that the node never has is left out', async () => {
  expect(await readWithout(Number.POSITIVE_INFINITY)).toEqual([0, 1, 3])
})
