import { startAnvil } from '@nifty/dev-servers/anvil'
import { toQuantity, Wallet } from 'ethers'
import { expect, onTestFinished, test } from 'vitest'
import { connectChain } from '../provider.ts'
import { pollReceipts } from './poll-receipts.ts'
import { startRpcProxy } from './rpc-proxy.ts'

test('wait() ends although no block follows the one that it saw first', async () => {
  const chain = await startAnvil({ blocks: 'by-transaction' })
  onTestFinished(chain.stop)
  const proxy = await startRpcProxy(chain.url)
  onTestFinished(proxy.stop)
  const provider = connectChain({ rpcUrl: proxy.url })
  pollReceipts(provider)
  const wallet = Wallet.createRandom(provider)
  await provider.send('anvil_setBalance', [wallet.address, toQuantity(10n ** 18n)])

  await provider.send('evm_setAutomine', [false])
  proxy.respond({ eth_blockNumber: '0x1' })
  const sent = await wallet.sendTransaction({ to: wallet.address })
  const before = proxy.methods.length
  const receipt = sent.wait()
  // The receipt is read and missing, and the newest block is read, before the transaction is mined.
  await expect.poll(() => proxy.methods.slice(before).includes('eth_blockNumber')).toBe(true)
  await proxy.untilQuiet(20)
  await provider.send('anvil_mine', ['0x1'])
  expect((await receipt)!.hash).toBe(sent.hash)

  provider.destroy()
})
