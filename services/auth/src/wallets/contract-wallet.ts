import { ExpectedError, unavailable } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import { createSemaphore } from '@nifty/service-kit/base/semaphore'
import { hashMessage } from 'ethers/hash'
import { walletNotDeployed } from './wallet.ts'

/** Of `isValidSignature(bytes32,bytes)`: its selector, and what it returns for a valid signature (ERC-1271). */
const MAGIC_VALUE = '0x1626ba7e'
const VALID = MAGIC_VALUE.padEnd(66, '0')
/** The end of a signature of a wallet that is not deployed yet (ERC-6492). */
const NOT_DEPLOYED = '6492'.repeat(16)

/** Enough for several owners or a passkey; a contract that needs more is taken for one that refuses. */
const MAX_GAS = 2_000_000
/** Of each of the four requests to the node. */
const REQUEST_MS = 3_000

/**
 * Messages of nodes, without revert data, about code of a contract that ended by itself: out of gas, at an invalid
 * opcode or jump, or with a wrong stack (geth: `invalid opcode: INVALID`, `stack limit reached 1024 (1023)`).
 */
const ENDED_BY_CODE =
  /gas|(invalid|undefined) ?(fe ?)?opcode|opcode ?not ?found|invalid ?jump|stack ?(under|over)flow|stack limit/i

export type SignedText = { address: string; message: string; signature: string }

export type ContractWallets = ReturnType<typeof openContractWallets>

/**
 * Verifies signatures of contracts, at a final block, so that a reorganisation does not take a proof back.
 * The node is connected with the first call.
 */
export function openContractWallets({ rpcUrl, chainId, log }: { rpcUrl: string; chainId: number; log: Log }) {
  const semaphore = createSemaphore({ concurrency: 4, maxWaiting: 20, maxWaitingPerClient: 1 })
  let connecting: ReturnType<typeof connect> | undefined

  async function connect() {
    const { confirmChain, connectChain } = await import('@nifty/contracts/provider')
    const provider = connectChain({ rpcUrl, chainId, requestMs: REQUEST_MS })
    await confirmChain(provider).catch((error) => {
      provider.destroy()
      throw error
    })
    return provider
  }
  const connected = () => {
    connecting ??= connect()
    return connecting.catch((error) => {
      connecting = undefined
      throw error
    })
  }

  async function accepts({ address, message, signature }: SignedText): Promise<boolean> {
    const provider = await connected()
    const block = await provider.send('eth_getBlockByNumber', ['finalized', false])
    if (!block) throw new Error('the node has no final block')
    if ((await provider.send('eth_getCode', [address, block.number])) === '0x') {
      if (signature.toLowerCase().endsWith(NOT_DEPLOYED)) throw walletNotDeployed()
      return false
    }
    const { AbiCoder, isCallException } = await import('ethers')
    const { revertOf } = await import('@nifty/contracts/revert')
    const values = AbiCoder.defaultAbiCoder().encode(['bytes32', 'bytes'], [hashMessage(message), signature])
    const call = { to: address, data: `${MAGIC_VALUE}${values.slice(2)}`, gas: `0x${MAX_GAS.toString(16)}` }
    try {
      return (await provider.send('eth_call', [call, block.number])) === VALID
    } catch (error) {
      if (revertOf(error)) return false
      if (isCallException(error) && ENDED_BY_CODE.test(String(error.info?.error?.message))) return false
      throw error
    }
  }

  return {
    /**
     * True when the contract at the address accepts the signature of this text (EIP-191). `accountId`: whose share of
     * the queue it waits in. Throws 400 `wallet_not_deployed`, 429, and 503 `chain_unavailable` while the node does not
     * respond.
     */
    accepts: (signed: SignedText, accountId: string): Promise<boolean> =>
      semaphore(
        () =>
          accepts(signed).catch((error) => {
            if (error instanceof ExpectedError) throw error
            log.warn({ err: error }, 'contract wallets: the chain node did not respond, returning 503')
            throw unavailable('chain_unavailable', 'The blockchain does not respond, please try again.')
          }),
        accountId,
      ),
    stop: async () => (await connecting?.catch(() => undefined))?.destroy(),
  }
}
