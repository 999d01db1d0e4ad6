import { setTimeout as sleep } from 'node:timers/promises'
import { confirmChain, connectChain } from '@nifty/contracts/provider'
import { revertOf } from '@nifty/contracts/revert'
import { type ContractTransactionResponse, type JsonRpcProvider, Wallet } from 'ethers'
import { UsageError } from './store.ts'

const POLL_MS = 250
const MINED_WITHIN_MS = 300_000

type Owner = {
  wallet: Wallet
  provider: JsonRpcProvider
  /** Resolves when the transaction is in a block. */
  send: (sent: Promise<ContractTransactionResponse>) => Promise<void>
}

/** Runs `use` with the contracts' owner (CHAIN_OWNER_KEY), whose key is read from the operator's shell only. */
export async function asOwner<Result>(
  chainId: number,
  contract: (owner: Wallet) => { owner: () => Promise<string> },
  use: (owner: Owner) => Promise<Result>,
): Promise<Result> {
  const { CHAIN_RPC_URL: rpcUrl, CHAIN_OWNER_KEY: ownerKey } = process.env
  if (!rpcUrl || !ownerKey) throw new UsageError('CHAIN_RPC_URL and CHAIN_OWNER_KEY must be set')
  if (!/^0x[0-9a-fA-F]{64}$/.test(ownerKey))
    throw new UsageError('CHAIN_OWNER_KEY is not a private key: 0x and 64 hex digits')
  const provider = connectChain({ rpcUrl, chainId })
  try {
    await confirmChain(provider)
    const wallet = new Wallet(ownerKey, provider)
    const owner = String(await contract(wallet).owner())
    if (owner !== wallet.address) throw new Error(`CHAIN_OWNER_KEY is ${wallet.address}, the owner ${owner}`)
    return await use({ wallet, provider, send: async (sent) => untilMined(provider, (await sent.catch(explain)).hash) })
  } finally {
    provider.destroy()
  }
}

/** Names the contract's error, which ethers leaves encoded. */
function explain(error: unknown): never {
  const revert = revertOf(error)
  throw revert ? new Error(`The contract refuses: ${revert.text}`, { cause: error }) : error
}

/** Not ethers' `wait`, whose poll outlives it. */
async function untilMined(provider: JsonRpcProvider, hash: string) {
  for (let waited = 0; waited < MINED_WITHIN_MS; waited += POLL_MS) {
    const receipt = await provider.getTransactionReceipt(hash)
    if (receipt?.status === 0) throw new Error(`The transaction ${hash} failed`)
    if (receipt) return
    await sleep(POLL_MS)
  }
  throw new Error(`The transaction ${hash} is in no block yet. Run the command again to continue.`)
}
