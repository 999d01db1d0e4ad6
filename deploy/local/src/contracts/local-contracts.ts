import { getTokenMetadata } from '@nifty/api/minting/public'
import { connectChain, LOCAL_CHAIN_ID } from '@nifty/contracts/provider'
import { LOCAL_SETTINGS } from '@nifty/contracts/settings'
import { type DataDir, readJson, type Secrets, writeJson } from '@nifty/testkit/data-dir'
import { Wallet } from 'ethers'

export type Contracts = { collection: string; delivery: string; fromBlock: number }

const ENOUGH_WEI = `0x${(10n ** 24n).toString(16)}`

/** Start of the tokens' metadata addresses, to which the contracts append contract and token id. */
export const tokenBaseUri = (publicUrl: string) =>
  publicUrl + getTokenMetadata.path.replace('/:contract/:identifier', '')

/** The store's contracts on the local chain: deployed at the first start, and again if the chain's state was lost. */
export async function localContracts(
  dataDir: DataDir,
  { rpcUrl, secrets, publicUrl }: { rpcUrl: string; secrets: Secrets; publicUrl: string },
): Promise<Contracts> {
  const file = dataDir.file('contracts.json')
  const provider = connectChain({ rpcUrl, chainId: LOCAL_CHAIN_ID })
  try {
    const existing = await readJson<Contracts>(file)
    if (existing && (await provider.getCode(existing.collection)) !== '0x') return existing

    // A slow import, needed at the first start only.
    const { deployContracts } = await import('@nifty/contracts/deploy')
    const signer = new Wallet(secrets.chainSignerKey)
    const deployer = new Wallet(secrets.chainDeployerKey)
    for (const { address } of [signer, deployer]) await provider.send('anvil_setBalance', [address, ENOUGH_WEI])
    const contracts = await deployContracts({
      provider,
      deployerKey: secrets.chainDeployerKey,
      signers: [signer.address],
      baseUri: tokenBaseUri(publicUrl),
      settings: LOCAL_SETTINGS,
    })
    await writeJson(file, contracts)
    return contracts
  } finally {
    provider.destroy()
  }
}
