import { readFileSync, truncateSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type AnvilOptions, startAnvil } from './anvil.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = await temporaryFolder('chain')

/** An anvil that ends with the test. */
async function givenChain(options?: AnvilOptions) {
  const chain = await startAnvil(options)
  onTestFinished(chain.stop)
  return chain
}

/** A JSON-RPC call to the chain's node. */
async function rpc(url: string, method: string, params: unknown[] = []): Promise<any> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result } = (await response.json()) as { result: any }
  return result
}

/** Undefined while the file is missing or incomplete. */
function blocksIn(statePath: string): number | undefined {
  try {
    return JSON.parse(readFileSync(statePath, 'utf8')).best_block_number
  } catch {
    return undefined
  }
}

test('blocks become final two blocks later, as time passes', async () => {
  const chain = await givenChain()
  await vi.waitUntil(
    async () => Number((await rpc(chain.url, 'eth_getBlockByNumber', ['finalized', false])).number) >= 1,
    { timeout: 30_000 },
  )
  expect(Number(await rpc(chain.url, 'eth_blockNumber'))).toBeGreaterThanOrEqual(3)
  await chain.stop()
  await chain.stop()
})

test('a chain with a state file survives the SIGKILL of its process', async () => {
  const statePath = join(folder, 'chain.json')
  const first = await givenChain({ blocks: 'by-transaction', statePath })
  await rpc(first.url, 'anvil_mine', ['0x5'])
  await vi.waitUntil(() => blocksIn(statePath) === 5, { timeout: 30_000 })
  process.kill(first.pid, 'SIGKILL')
  await first.stop()

  const second = await givenChain({ blocks: 'by-transaction', statePath })
  expect(Number(await rpc(second.url, 'eth_blockNumber'))).toBe(5)
})

test('a killed anvil leaves no states of old blocks in the home folder', async () => {
  vi.stubEnv('HOME', folder)
  const chain = await givenChain({ blocks: 'by-transaction' })
  vi.unstubAllEnvs()
  await rpc(chain.url, 'anvil_mine', ['0x400'])
  const { number } = await rpc(chain.url, 'eth_getBlockByNumber', ['latest', false])
  process.kill(chain.pid, 'SIGKILL')
  await chain.stop()

  expect(Number(number)).toBe(0x400)
  expect(await readdir(join(folder, '.foundry'), { recursive: true }).catch(() => [])).toEqual([])
})

test('a state file that a killed anvil left incomplete is replaced by the last whole copy', async () => {
  const statePath = join(folder, 'incomplete.json')
  const first = await givenChain({ blocks: 'by-transaction', statePath })
  await rpc(first.url, 'anvil_mine', ['0x5'])
  await vi.waitUntil(() => blocksIn(`${statePath}.copy`) === 5, { timeout: 30_000 })
  await first.stop()
  truncateSync(statePath, 100)

  const second = await givenChain({ blocks: 'by-transaction', statePath })
  expect(Number(await rpc(second.url, 'eth_blockNumber'))).toBe(5)
})

test('the error of a failed start contains the output of anvil', async () => {
  const chain = await givenChain({ blocks: 'by-transaction' })
  const port = Number(new URL(chain.url).port)
  await expect(startAnvil({ port })).rejects.toThrow('anvil ended')
})
