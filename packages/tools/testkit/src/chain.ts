import { Contract, JsonRpcProvider, Network, Wallet } from 'ethers'
import type { RunFile } from './run-file.ts'

const collectionAbi = [
  'function ownerOf(uint256) view returns (address)',
  'function transferFrom(address, address, uint256)',
]

/** Reads and writes the chain directly, without the store. */
export function openChain({ chainRpcUrl, chainId }: RunFile) {
  const network = new Network('local', chainId)
  const provider = new JsonRpcProvider(chainRpcUrl, network, {
    staticNetwork: network,
    batchMaxCount: 1,
    cacheTimeout: -1,
    // Of the wait for a receipt; 4 s by default.
    pollingInterval: 100,
  })
  return {
    ownerOf: async ({ contract, identifier }: { contract: string; identifier: string }): Promise<string> =>
      new Contract(contract, collectionAbi, provider).getFunction('ownerOf')(identifier),
    /** Moves a token as its holder's wallet would, behind the store's back. */
    moveToken: async (
      privateKey: string,
      { contract, identifier, to }: { contract: string; identifier: string; to: string },
    ) => {
      const holder = new Wallet(privateKey, provider)
      const move = new Contract(contract, collectionAbi, holder).getFunction('transferFrom')
      const sent = await move(holder.address, to, identifier)
      await sent.wait()
    },
    close: () => provider.destroy(),
  }
}
