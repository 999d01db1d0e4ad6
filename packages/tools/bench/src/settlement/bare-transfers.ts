import { setTimeout as sleep } from 'node:timers/promises'
import type { RunFile } from '@nifty/testkit/run-file'
import { JsonRpcProvider, Network, parseEther, parseUnits, toQuantity, Wallet } from 'ethers'

const POLL_MS = 100
const TRANSFER_GAS = 21_000

/**
 * Signs and sends transfers of one wei with consecutive nonces, at most `maxUnmined` of them in no block. Resolves with
 * the number that are mined a second.
 */
export async function transfersPerSecond(
  { chainRpcUrl, chainId }: Pick<RunFile, 'chainRpcUrl' | 'chainId'>,
  { count, maxUnmined }: { count: number; maxUnmined: number },
): Promise<number> {
  const network = new Network('local', chainId)
  const provider = new JsonRpcProvider(chainRpcUrl, network, {
    staticNetwork: network,
    batchMaxCount: 1,
    cacheTimeout: -1,
  })
  try {
    const signer = new Wallet(Wallet.createRandom().privateKey)
    await provider.send('anvil_setBalance', [signer.address, toQuantity(parseEther('1000'))])
    const transfer = {
      chainId,
      type: 2,
      to: Wallet.createRandom().address,
      value: 1n,
      gasLimit: TRANSFER_GAS,
      maxFeePerGas: parseUnits('500', 'gwei'),
      maxPriorityFeePerGas: parseUnits('30', 'gwei'),
    }
    const began = performance.now()
    let [sent, mined] = [0, 0]
    while (mined < count) {
      const end = Math.min(count, mined + maxUnmined)
      for (; sent < end; sent++)
        await provider.broadcastTransaction(await signer.signTransaction({ ...transfer, nonce: sent }))
      mined = await provider.getTransactionCount(signer.address, 'latest')
      if (mined < end) await sleep(POLL_MS)
    }
    return (count * 1_000) / (performance.now() - began)
  } finally {
    provider.destroy()
  }
}
