import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileContracts } from '@nifty/contracts/compile'
import { ContractFactory } from 'ethers'
import type { TestMinting } from './minting.ts'

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
