import { collectionInterface } from '@nifty/contracts/abi'
import type { JsonRpcProvider } from 'ethers'
import { expect, test } from 'vitest'
import { createLogReader, isRangeRefusal } from './log-reader.ts'

const address = `0x${'1'.repeat(40)}`
const errorOf = (message: unknown) => ({ error: { code: -32000, message } })

test.each([
  'block range is too wide, max 10000',
  'query returned more than 10000 results',
  'Log response size exceeded',
  'eth_getLogs is limited to a 1000 blocks range',
  'query timeout exceeded',
])('"%s" refuses the range', (message) => {
  expect(isRangeRefusal(errorOf(message))).toBe(true)
})

test.each([
  'rate limit exceeded',
  'Too Many Requests',
  'exceeded 25 requests per second',
  'monthly quota reached, raise your limit',
  'daily credits limit reached',
  'header not found',
  undefined,
  7,
])('"%s" does not', (message) => {
  expect(isRangeRefusal(errorOf(message))).toBe(false)
  expect(isRangeRefusal(new Error('block range is too wide'))).toBe(false)
})

/** A reader on a node that refuses more than `allowed()` blocks, with `message`. `ranges` are the accepted ones. */
function givenReader(allowed: () => number, message = 'block range is too wide') {
  const ranges: [number, number][] = []
  const asked: number[] = []
  const send = async (_: string, [filter]: [{ fromBlock: string; toBlock: string }]) => {
    const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
    asked.push(to - from + 1)
    if (to - from + 1 > allowed()) throw errorOf(message)
    ranges.push([from, to])
    return []
  }
  const all = async (query: (provider: JsonRpcProvider) => Promise<unknown>) => [await query({ send } as never)]
  const nodes = { all } as unknown as Parameters<typeof createLogReader>[0]['nodes']
  return {
    reader: createLogReader({ nodes, contracts: { collection: address, delivery: address }, maxRange: 1_000 }),
    ranges,
    asked,
  }
}

test('a refused range is halved until the node accepts it, and every block is read once', async () => {
  const { reader, ranges, asked } = givenReader(() => 100)
  for (let from = 0; from <= 5_000; ) from = (await reader.read({ from, to: 5_000 })).last + 1
  expect(asked.slice(0, 5)).toEqual([1_000, 500, 250, 125, 62])
  expect(ranges.at(-1)![1]).toBe(5_000)
  for (const [at, [from]] of ranges.entries()) expect(from).toBe(at === 0 ? 0 : ranges[at - 1]![1] + 1)
})

test('the range grows again once the node accepts more', async () => {
  let allowed = 100
  const { reader, asked } = givenReader(() => allowed)
  await reader.read({ from: 0, to: 10_000 })
  allowed = 1_000
  for (let reads = 0; reads < 120; reads++) await reader.read({ from: 0, to: 10_000 })
  expect(asked.at(-1)).toBe(1_000)
})

test('a rate limit does not shorten the range', async () => {
  const { reader, asked } = givenReader(() => 0, 'rate limit exceeded')
  for (let reads = 0; reads < 2; reads++) await expect(reader.read({ from: 0, to: 5_000 })).rejects.toBeDefined()
  expect(asked).toEqual([1_000, 1_000])
})

test('a single block that the node refuses is an error', async () => {
  const { reader, asked } = givenReader(() => 0)
  await expect(reader.read({ from: 0, to: 7 })).rejects.toBeDefined()
  expect(asked).toEqual([8, 4, 2, 1])
})

test('the newest log is searched from the newest block back, over every block', async () => {
  const { reader, ranges } = givenReader(() => 300)
  expect(await reader.findNewest({ from: 10, to: 2_000 }, [])).toBeUndefined()
  expect([ranges[0]![1], ranges.at(-1)![0]]).toEqual([2_000, 10])
  for (const [at, [, to]] of ranges.entries()) if (at > 0) expect(to).toBe(ranges[at - 1]![0] - 1)
})

test('a log of another block than the node has at that height is an error', async () => {
  const { data, topics } = collectionInterface.encodeEventLog('Transfer', [address, address, 1n])
  const place = { blockNumber: '0x7', blockHash: '0xaa', logIndex: '0x0', transactionHash: '0xbb' }
  let hash = place.blockHash
  const send = async (method: string) =>
    method === 'eth_getLogs' ? [{ address, topics, data, ...place }] : { number: '0x7', hash, timestamp: '0x1' }
  const any = async (query: (provider: JsonRpcProvider) => Promise<unknown>) => query({ send } as never)
  const nodes = { any, all: async (query: Parameters<typeof any>[0]) => [await any(query)] } as never
  const contracts = { collection: address, delivery: `0x${'2'.repeat(40)}` }
  const reader = createLogReader({ nodes, contracts, maxRange: 1_000 })
  expect((await reader.read({ from: 7, to: 7 })).logs).toHaveLength(1)
  hash = '0xcc'
  await expect(reader.read({ from: 7, to: 7 })).rejects.toThrow('another fork')
})
