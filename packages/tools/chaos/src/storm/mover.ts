import { waitUntil } from '@nifty/testkit/wait-until'
import { Interface, keccak256 } from 'ethers'
import { ELSEWHERE, type Work } from './cast/works.ts'
import type { Servers } from './servers.ts'

const abi = new Interface(['function transferFrom(address from, address to, uint256 tokenId)'])
const GAS = '0x30d40'
/** Reverts every call. */
const REFUSING_CODE = '0x60006000fd'
const MINED = { timeoutMs: 30_000, intervalMs: 100 }

/** Resolves when a block has the transaction. */
export type MoveAway = (work: Work) => Promise<unknown>

/** Makes a wallet a contract that refuses every token. */
export type RefuseTokens = (wallet: string) => Promise<unknown>

/** Moves tokens out of their sellers' wallets, behind the store's back; one at a time, because of the nonces. */
export function createMover({ chain }: Pick<Servers, 'chain'>, chainId: number): MoveAway {
  let last: Promise<unknown> = Promise.resolve()
  const move = async ({ seller: { wallet }, contract, identifier }: Work) => {
    const data = abi.encodeFunctionData('transferFrom', [wallet.address, ELSEWHERE, identifier])
    // Reverts where the token was delivered first.
    await chain('eth_call', [{ from: wallet.address, to: contract, data }, 'latest'])
    const nonce = Number(await chain<string>('eth_getTransactionCount', [wallet.address, 'pending']))
    const fees = { maxFeePerGas: 1_000_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n }
    const raw = await wallet.signTransaction({ type: 2, chainId, to: contract, data, nonce, gasLimit: GAS, ...fees })
    const hash = keccak256(raw)
    return waitUntil(async () => {
      if (await chain('eth_getTransactionReceipt', [hash])) return hash
      // The node refuses what it has, and may have dropped it.
      await chain('eth_sendRawTransaction', [raw]).catch(() => {})
    }, MINED)
  }
  return (work) => {
    const moved = last.then(() => move(work))
    last = moved.catch(() => {})
    return moved
  }
}

export const createRefusal =
  ({ chain }: Pick<Servers, 'chain'>): RefuseTokens =>
  (wallet) =>
    chain('anvil_setCode', [wallet, REFUSING_CODE])
