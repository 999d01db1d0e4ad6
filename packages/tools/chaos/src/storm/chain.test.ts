import type { RunFile } from '@nifty/testkit/run-file'
import { AbiCoder, id, toBeHex, zeroPadBytes, zeroPadValue } from 'ethers'
import { expect, test } from 'vitest'
import { readChain } from './chain.ts'
import type { Servers } from './servers.ts'

const address = '0x91aeb7d670da43f628a1db6e074cee3393303165'

type Answers = Record<string, (params: unknown[]) => unknown>

function read(answers: Answers) {
  const servers = { chain: async (method: string, params: unknown[]) => answers[method]!(params) } as Servers
  return readChain({ contracts: { delivery: address, collection: address } } as RunFile, servers)
}

/** Reads a chain whose node lacks block 2 for this many requests. */
async function readWithout(requests: number) {
  let head = 3
  let asked = 0
  const { transactions } = await read({
    eth_blockNumber: () => `0x${(head++).toString(16)}`,
    eth_getLogs: () => [],
    eth_getBlockByNumber: ([number]) => {
      if (number === '0x2' && asked++ < requests) return null
      return { number, transactions: [{ hash: `hash of ${number}`, from: address, nonce: number }] }
    },
  })
  return transactions.map(({ block }) => block)
}

test('a block that the node has a little later is read', async () => {
  expect(await readWithout(2)).toEqual([0, 1, 2, 3])
})

test('a block that the node never has is left out', async () => {
  expect(await readWithout(Number.POSITIVE_INFINITY)).toEqual([0, 1, 3])
})

test('a transaction that the node has in an abandoned block as well counts once, and so do its deliveries', async () => {
  const deliveredTopic = id('Delivered(bytes32,address,uint256,address,address)')
  const delivery = (line: string) => ({
    topics: [deliveredTopic, zeroPadBytes(line, 32), zeroPadValue(address, 32), toBeHex(7, 32)],
    data: AbiCoder.defaultAbiCoder().encode(['address', 'address'], [address, address]),
    transactionHash: '0xaa',
  })
  const { transactions, delivered } = await read({
    eth_blockNumber: () => '0x2',
    eth_getLogs: ([{ topics }]: any) =>
      topics[0] === deliveredTopic ? ['0x01', '0x02', '0x01', '0x02'].map(delivery) : [],
    eth_getBlockByNumber: ([number]) => ({
      number,
      transactions: number === '0x0' ? [] : [{ hash: '0xaa', from: address, nonce: '0x5' }],
    }),
  })

  expect(transactions).toEqual([{ hash: '0xaa', from: address, nonce: 5, block: 2 }])
  expect(delivered.map(({ hash, token }) => [hash, token])).toEqual([
    ['0xaa', `${address}/7`],
    ['0xaa', `${address}/7`],
  ])
  expect(new Set(delivered.map(({ line }) => line)).size).toBe(2)
})
