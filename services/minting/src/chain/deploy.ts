import { ContractFactory, getCreateAddress, type JsonRpcProvider, Wallet } from 'ethers'
import { compileContracts } from './compile.ts'

export type Deployment = {
  collection: string
  delivery: string
  /** The block of the first contract: an index of the chain starts here. */
  fromBlock: number
}

/**
 * Puts both contracts on the chain and ties them together; answers when both are in a block.
 * `baseUri` is where token metadata is answered, without a final slash (`https://…/api/tokens`); the contract's own
 * address is added to it. The owner (the deployer, unless named) appoints signers later; the signer mints and delivers.
 */
export async function deployContracts({
  provider,
  deployerKey,
  signerAddress,
  ownerAddress,
  baseUri,
  cacheDir,
}: {
  provider: JsonRpcProvider
  deployerKey: string
  signerAddress: string
  ownerAddress?: string
  baseUri: string
  cacheDir?: string
}): Promise<Deployment> {
  const artefacts = await compileContracts({ cacheDir })
  const deployer = new Wallet(deployerKey, provider)
  const owner = ownerAddress ?? deployer.address

  const nonce = await provider.getTransactionCount(deployer.address, 'pending')
  const collection = getCreateAddress({ from: deployer.address, nonce })
  const deploy = async (name: 'NiftyCollection' | 'NiftyDelivery', nonce: number, args: unknown[]) => {
    const { abi, bytecode } = artefacts[name]!
    const contract = await new ContractFactory(abi, bytecode, deployer).deploy(...args, { nonce })
    const receipt = await contract.deploymentTransaction()!.wait()
    return { address: await contract.getAddress(), block: receipt!.blockNumber }
  }

  const first = await deploy('NiftyCollection', nonce, [owner, signerAddress, `${baseUri}/${collection}/`])
  const second = await deploy('NiftyDelivery', nonce + 1, [owner, signerAddress, [collection]])
  return { collection, delivery: second.address, fromBlock: first.block }
}
