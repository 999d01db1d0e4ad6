import { fork } from 'node:child_process'
import { join } from 'node:path'
import { connectChain, LOCAL_CHAIN_ID } from '@nifty/minting/chain/provider'
import { Wallet } from 'ethers'
import { type Home, readJson, type Secrets, writeJson } from '../home.ts'

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

    const signer = new Wallet(secrets.chainSignerKey)
    const deployer = new Wallet(secrets.chainDeployerKey)
    for (const { address } of [signer, deployer]) await provider.send('anvil_setBalance', [address, ENOUGH_WEI])
    const contracts = await deployInChild({
      rpcUrl,
      deployerKey: secrets.chainDeployerKey,
      signerAddress: signer.address,
      baseUri: `${publicUrl}/api/tokens`,
      cacheDir: home.folder,
    })
    await writeJson(file, contracts)
    return contracts
  } finally {
    provider.destroy()
  }
}

export type DeployOrder = {
  rpcUrl: string
  deployerKey: string
  signerAddress: string
  baseUri: string
  cacheDir: string
}
export type Deployed = { contracts?: Contracts; failed?: string }

/** The compiler is needed once, and takes a hundred megabytes that a process never gives back: it gets its own. */
const deployInChild = (order: DeployOrder) =>
  new Promise<Contracts>((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'contracts-process.ts'), [], { detached: true })
    child.once('message', ({ contracts, failed }: Deployed) =>
      contracts ? resolve(contracts) : reject(new Error(failed)),
    )
    child.once('exit', (code) => reject(new Error(`the contracts could not be deployed (code ${code})`)))
    child.send(order)
  })
