import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { startLocalChain } from './local-chain.ts'
import { confirmChain, connectChain } from './provider.ts'

const folder = mkdtempSync(join(tmpdir(), 'nifty-chain-'))
afterAll(() => rmSync(folder, { recursive: true }))
const rich = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** Undefined while there is no file yet, or half of one. */
function blocksIn(statePath: string): number | undefined {
  try {
    return JSON.parse(readFileSync(statePath, 'utf8')).best_block_number
  } catch {
    return undefined
  }
}

test('time alone makes blocks final, two below the head', async () => {
  const chain = await startLocalChain()
  const provider = connectChain({ rpcUrl: chain.url })
  await vi.waitUntil(async () => (await provider.getBlock('finalized'))!.number >= 1, { timeout: 30_000 })
  expect(await provider.getBlockNumber()).toBeGreaterThanOrEqual(3)
  provider.destroy()
  await chain.stop()
  await chain.stop()
})

test('a chain kept on disk survives the death of its process', async () => {
  const statePath = join(folder, 'chain.json')
  const first = await startLocalChain({ blocks: 'by-transaction', statePath })
  const provider = connectChain({ rpcUrl: first.url })
  await provider.send('anvil_mine', ['0x5'])
  await vi.waitUntil(() => blocksIn(statePath) === 5, { timeout: 30_000 })
  provider.destroy()
  process.kill(first.pid, 'SIGKILL')
  await first.stop()

  const second = await startLocalChain({ blocks: 'by-transaction', statePath })
  const again = connectChain({ rpcUrl: second.url })
  expect(await again.getBlockNumber()).toBe(5)
  again.destroy()
  await second.stop()
})

test('a chain that cannot start says why', async () => {
  const chain = await startLocalChain({ blocks: 'by-transaction' })
  const port = Number(new URL(chain.url).port)
  await expect(startLocalChain({ port })).rejects.toThrow('anvil ended')
  await chain.stop()
})

test('a connection trusts its configuration and notices a node of another chain', async () => {
  const chain = await startLocalChain({ blocks: 'by-transaction' })
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
  await chain.stop()
})
