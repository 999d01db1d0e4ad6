import { getAddress, isAddress, type JsonRpcProvider } from 'ethers'
import { collectionInterface, deliveryInterface } from './abi.ts'
import type { Call } from './calls.ts'
import { collectionAt, deliveryAt } from './contract.ts'
import { type ChainEvent, type Contracts, eventTopics, parseChainLog } from './log.ts'
import { confirmChain, connectChain } from './provider.ts'
import { type Revert, revertOf } from './revert.ts'
import type { Fees } from './signer.ts'

/** `at` is the time of its block; `logIndex` counts within the block. */
export type LoggedEvent = { event: ChainEvent; block: number; logIndex: number; txHash: string; at: Date }
export type Receipt = { hash: string; block: number; blockHash: string; succeeded: boolean }
/** Whether an address is a signer of each contract. */
export type Roles = { collection: boolean; delivery: boolean }
export type Block = { number: number; hash: string; baseFee: bigint }
export type Node = ReturnType<typeof createNode>

const quantity = (value: number) => `0x${value.toString(16)}`
const GWEI = 1_000_000_000n

/** All queries to the chain. With a second node, a block is final only when both nodes have the same hash. */
export function createNode({
  rpcUrl,
  secondRpcUrl,
  chainId,
  finalityDepth,
  fromBlock,
  contracts,
}: {
  rpcUrl: string
  secondRpcUrl?: string
  chainId: number
  finalityDepth: number
  fromBlock: number
  contracts: Contracts
}) {
  const provider = connectChain({ rpcUrl, chainId })
  const second = secondRpcUrl ? connectChain({ rpcUrl: secondRpcUrl, chainId }) : undefined
  const collection = collectionAt(contracts.collection, provider)
  const delivery = deliveryAt(contracts.delivery, provider)
  let confirmed = false

  async function blockAt(tag: number | 'latest' | 'finalized', from: JsonRpcProvider = provider) {
    const raw = await from.send('eth_getBlockByNumber', [typeof tag === 'number' ? quantity(tag) : tag, false])
    if (!raw) return undefined
    const block: Block & { at: Date } = {
      number: Number(raw.number),
      hash: raw.hash,
      baseFee: BigInt(raw.baseFeePerGas ?? 0),
      at: new Date(Number(raw.timestamp) * 1000),
    }
    return block
  }

  /** The newest final block: below the `finalized` tag, `finalityDepth` deep, and with the same hash on both nodes. */
  async function finalBlock(): Promise<Block | undefined> {
    const [head, finalized] = await Promise.all([blockAt('latest'), blockAt('finalized')])
    if (!head || !finalized) return undefined
    const number = Math.min(finalized.number, head.number - finalityDepth)
    if (number < 0) return undefined
    const block = number === finalized.number ? finalized : await blockAt(number)
    if (!block || !second) return block
    const other = await blockAt(number, second)
    return other?.hash === block.hash ? block : undefined
  }

  const logs = ({ from, to }: { from: number; to: number }) =>
    readLogs({
      address: [contracts.collection, contracts.delivery],
      topics: [eventTopics],
      fromBlock: quantity(from),
      toBlock: quantity(to),
    })

  /** The `Delivered` log of a line, in any block; undefined while there is none. */
  async function deliveredLog(lineKey: string): Promise<LoggedEvent | undefined> {
    if (!(await delivery.isLineUsed!(lineKey))) return undefined
    const topics = [deliveryInterface.getEvent('Delivered')!.topicHash, lineKey]
    return (
      await readLogs({ address: contracts.delivery, topics, fromBlock: quantity(fromBlock), toBlock: 'latest' })
    )[0]
  }

  async function readLogs(filter: object): Promise<LoggedEvent[]> {
    const found = await provider.send('eth_getLogs', [filter])
    const times = new Map<number, Date>()
    const events: LoggedEvent[] = []
    for (const log of found) {
      const event = parseChainLog(log, contracts)
      if (!event) continue
      const block = Number(log.blockNumber)
      if (!times.has(block)) times.set(block, (await blockAt(block))!.at)
      events.push({ event, block, logIndex: Number(log.logIndex), txHash: log.transactionHash, at: times.get(block)! })
    }
    return events.sort((one, other) => one.block - other.block || one.logIndex - other.logIndex)
  }

  async function receipt(hash: string): Promise<Receipt | undefined> {
    const raw = await provider.send('eth_getTransactionReceipt', [hash])
    if (!raw?.blockNumber) return undefined
    return { hash, block: Number(raw.blockNumber), blockHash: raw.blockHash, succeeded: BigInt(raw.status) === 1n }
  }

  /** The revert of a call by `from` at the newest block; undefined when the call succeeds. */
  async function refusalOf(call: Call, from: string): Promise<Revert | undefined> {
    try {
      await provider.call({ ...call, from })
    } catch (error) {
      const revert = revertOf(error)
      if (!revert) throw error
      return revert
    }
  }

  async function estimate(call: Call, from: string): Promise<{ gas: bigint } | { refusal: Revert }> {
    try {
      return { gas: await provider.estimateGas({ ...call, from }) }
    } catch (error) {
      const refusal = revertOf(error)
      if (!refusal) throw error
      return { refusal }
    }
  }

  async function fees(): Promise<Fees & { baseFee: bigint }> {
    const [head, tip] = await Promise.all([
      blockAt('latest'),
      provider.send('eth_maxPriorityFeePerGas', []).then(BigInt, () => 30n * GWEI),
    ])
    const { baseFee } = head!
    return { baseFee, maxPriorityFeePerGas: tip, maxFeePerGas: baseFee * 2n + tip }
  }

  return {
    blockAt,
    finalBlock,
    logs,
    deliveredLog,
    receipt,
    refusalOf,
    estimate,
    fees,
    /** Throws while the node serves another chain id. Checked until the first success. */
    confirm: async () => {
      if (!confirmed) await confirmChain(provider)
      confirmed = true
    },
    /** The number of an account's transactions up to a block. */
    nonceAt: async (address: string, tag: number | 'latest' | 'pending') =>
      Number(await provider.send('eth_getTransactionCount', [address, typeof tag === 'number' ? quantity(tag) : tag])),
    /** In wei. */
    balance: async (address: string) => BigInt(await provider.send('eth_getBalance', [address, 'latest'])),
    /** Whether an address is a signer of each contract at a block. */
    rolesOf: async (address: string, block: number): Promise<Roles> => {
      const [ofCollection, ofDelivery] = await Promise.all([
        collection.isSigner!(address, { blockTag: block }),
        delivery.isSigner!(address, { blockTag: block }),
      ])
      return { collection: ofCollection, delivery: ofDelivery }
    },
    broadcast: async (raw: string): Promise<void> => void (await provider.send('eth_sendRawTransaction', [raw])),
    /** The holder of a token at the newest block, checksummed; undefined when the token does not exist. */
    holderOf: async (id: bigint): Promise<string | undefined> => {
      try {
        return String(await collection.ownerOf!(id))
      } catch (error) {
        if (revertOf(error)) return undefined
        throw error
      }
    },
    /** Whether the contract has delivered a line, as of a block. */
    isLineUsed: async (lineKey: string, at: number | 'latest'): Promise<boolean> =>
      delivery.isLineUsed!(lineKey, { blockTag: at }),
    /** The custody account (bytes32) of a token; zero when it is not in custody. */
    beneficiaryOf: async (id: bigint): Promise<string> => delivery.beneficiaryOf!(contracts.collection, id),
    permitNonce: async (id: bigint): Promise<bigint> => collection.nonces!(id),
    /** Simulates `permit`, so that signatures of contract wallets (ERC-1271) are accepted too. */
    acceptsPermit: async (id: bigint, { deadline, signature }: { deadline: number; signature: string }) => {
      const args = [contracts.delivery, id, deadline, signature]
      const data = collectionInterface.encodeFunctionData('permit', args)
      return (await refusalOf({ to: contracts.collection, data }, contracts.delivery)) === undefined
    },
    stop: () => {
      provider.destroy()
      second?.destroy()
    },
  }
}

/** The checksummed address; undefined for an invalid one, or a wrong checksum. */
export const checkedAddress = (text: string): string | undefined => (isAddress(text) ? getAddress(text) : undefined)
