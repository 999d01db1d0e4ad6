import { startAnvil } from '@nifty/dev-servers/anvil'
import { atEnd } from '@nifty/dev-servers/at-end'
import { hexlify, randomBytes, toQuantity, Wallet } from 'ethers'
import { collectionAt, deliveryAt } from '../contract.ts'
import { deployContracts } from '../deploy.ts'
import { connectChain } from '../provider.ts'
import { type ContractSettings, LOCAL_SETTINGS } from '../settings.ts'
import { pollReceipts } from './poll-receipts.ts'
import { startRpcProxy } from './rpc-proxy.ts'

/** Registers a clean-up; by default it runs after the test or its file. */
export type CleanUp = (end: () => Promise<void>) => void

/** Not the default name, and as long as a name may be. */
const settings: ContractSettings = {
  ...LOCAL_SETTINGS,
  name: 'Galerie Lumen & Söhne, Berlin!',
  symbol: 'LUMEN',
}

/** An anvil with both contracts deployed. Each transaction mines a block; `mine` mines more. */
export async function startTestChain(cleanUp: CleanUp = atEnd) {
  const chain = await startAnvil({ blocks: 'by-transaction' })
  const provider = connectChain({ rpcUrl: chain.url })
  pollReceipts(provider)
  const proxy = await startRpcProxy(chain.url)
  const secondProxy = await startRpcProxy(chain.url)
  cleanUp(async () => {
    await proxy.stop()
    await secondProxy.stop()
    provider.destroy()
    await chain.stop()
  })

  const newWallet = async () => {
    const wallet = new Wallet(hexlify(randomBytes(32)), provider)
    await provider.send('anvil_setBalance', [wallet.address, toQuantity(10n ** 21n)])
    return wallet
  }
  const [owner, signer, standBy] = [await newWallet(), await newWallet(), await newWallet()]
  const deployment = await deployContracts({
    provider,
    deployerKey: owner.privateKey,
    signers: [signer.address, standBy.address],
    baseUri: 'http://nifty.test/api/tokens',
    settings,
  })
  const [collection, delivery] = [collectionAt(deployment.collection, owner), deliveryAt(deployment.delivery, owner)]
  /** 48 hours pass on the chain: what the contracts delay is due. */
  const passDelay = async () => {
    await provider.send('evm_increaseTime', [Number(await delivery.DELAY())])
    await provider.send('anvil_mine', [])
  }
  return {
    ...deployment,
    /** Name of the collection. */
    name: settings.name,
    /** Address of the node, without a proxy. */
    url: chain.url,
    provider,
    proxy,
    /** Used with `nodes: 2`. */
    secondProxy,
    owner,
    signer,
    /** A signer of both contracts from the start whose key the store does not have. */
    standBy,
    newWallet,
    collectionOf: collectionAt(deployment.collection, provider),
    deliveryOf: deliveryAt(deployment.delivery, provider),
    /** The owner gives a wallet the signer's role on both contracts; while they are in use, 48 hours pass for it. */
    grantSigner: async (address: string) => {
      for (const contract of [collection, delivery]) await (await contract.addSigner(address)).wait()
      const isSigner = await Promise.all([collection.isSigner(address), delivery.isSigner(address)])
      if (isSigner.includes(false)) await passDelay()
    },
    passDelay,
    revokeSigner: async (address: string) => {
      for (const contract of [collection, delivery]) await (await contract.removeSigner(address)).wait()
    },
    mine: (blocks = 1) => provider.send('anvil_mine', [toQuantity(blocks)]),
    /** When off, transactions stay in the mempool until `mine`. */
    mineEachTransaction: (on: boolean) => provider.send('evm_setAutomine', [on]),
    ownerOf: async (identifier: string): Promise<string> =>
      collectionAt(deployment.collection, provider).ownerOf!(BigInt(identifier)),
  }
}
