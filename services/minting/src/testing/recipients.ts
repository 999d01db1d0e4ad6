import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileContracts } from '@nifty/contracts/compile'
import { ContractFactory } from 'ethers'
import type { TestMinting } from './minting.ts'

/** A recipient that is an ordinary wallet until `wake`: simulations accept it, and the block does not. */
export async function deploySleepingRecipient(minting: TestMinting, name: string, ...args: unknown[]) {
  const { provider } = minting.chain
  const address = await deployRecipient(minting, name, ...args)
  const code = await provider.getCode(address)
  const setCode = (code: string) => provider.send('anvil_setCode', [address, code])
  await setCode('0x')
  return { address, wake: () => setCode(code) }
}

/** Deploys a contract of `solidity/testing/Recipients.sol`, and returns its address. */
export async function deployRecipient({ chain }: TestMinting, name: string, ...args: unknown[]): Promise<string> {
  const contracts = await compileContracts({
    cacheDir: join(tmpdir(), 'nifty-contracts'),
    sources: ['testing/Recipients.sol'],
  })
  const { abi, bytecode } = contracts[name]!
  const contract = await new ContractFactory(abi, bytecode, await chain.newWallet()).deploy(...args)
  await contract.deploymentTransaction()!.wait()
  return contract.getAddress()
}
