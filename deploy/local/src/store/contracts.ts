import { connectChain, LOCAL_CHAIN_ID } from '@nifty/minting/chain/provider'
import { Wallet } from 'ethers'
import { type Home, readJson, type Secrets, writeJson } from '../data-dir.ts'

export type Contracts = { collection: string; delivery: string; fromBlock: number }

const ENOUGH_WEI = `0x${(10n ** 24n).toString(16)}`

/** The store's contracts on the local chain, put there at the first start. A chain that was lost gets new ones. */
export async function localContracts(
  home: Home,
  { rpcUrl, secrets, publicUrl }: { rpcUrl: string; secrets: Secrets; publicUrl: string },
): Promise<Contracts> {
  const file = home.file('contracts.json')
  const provider = connectChain({ rpcUrl, chainId: LOCAL_CHAIN_ID })
  try {
    const known = await readJson<Contracts>(file)
    if (known && (await provider.getCode(known.collection)) !== '0x') return known

    // Loaded only where it is needed: once in the life of a store.
    const { deployContracts } = await import('@nifty/minting/chain/deploy')
    const signer = new Wallet(secrets.chainSignerKey)
    const deployer = new Wallet(secrets.chainDeployerKey)
    for (const { address } of [signer, deployer]) await provider.send('anvil_setBalance', [address, ENOUGH_WEI])
    const contracts = await deployContracts({
      provider,
      deployerKey: secrets.chainDeployerKey,
      signerAddress: signer.address,
      baseUri: `${publicUrl}/api/tokens`,
    })
    await writeJson(file, contracts)
    return contracts
  } finally {
    provider.destroy()
  }
}
