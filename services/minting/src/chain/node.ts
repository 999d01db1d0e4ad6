import { isDeepStrictEqual } from 'node:util'
import { collectionInterface, deliveryInterface } from '@nifty/contracts/abi'
import { batchGas, type Call } from '@nifty/contracts/calls'
import { collectionAt, deliveryAt } from '@nifty/contracts/contract'
import type { Contracts } from '@nifty/contracts/log'
import { type Revert, revertOf, succeeds } from '@nifty/contracts/revert'
import { type JsonRpcProvider, toBeHex, zeroPadValue } from 'ethers'
import { readAcceptance } from './acceptance.ts'
import { type At, type BlockTag, quantity, readBlock } from './block.ts'
import { readFees } from './current-fees.ts'
import { createFinality } from './finality.ts'
import { createLogCheck } from './log-check.ts'
import { createLogReader, type LoggedEvent } from './log-reader.ts'
import { type Receipt, readFee, readReceipt } from './receipt.ts'
import { connectNodes, type Patience } from './rpc-nodes.ts'
import type { Fees } from './signer.ts'

export type { Block } from './block.ts'
export type { Heads } from './finality.ts'
export type { LoggedEvent } from './log-reader.ts'
export type { Receipt } from './receipt.ts'
/** Whether an address is a signer of each contract. */
export type Roles = { collection: boolean; delivery: boolean }
export type Node = ReturnType<typeof createNode>

/**
 * Who sends a simulated call, with the fees of the transaction that it stands for: without them the recipient's code
 * sees a gas price of zero, and can behave otherwise than in a block. Needs the balance for them.
 */
export type Sender = Fees & { address: string }

const requestOf = (call: Call, { address, maxFeePerGas, maxPriorityFeePerGas }: Sender) => {
  return { ...call, from: address, maxFeePerGas, maxPriorityFeePerGas }
}

const deliveredTopic = deliveryInterface.getEvent('Delivered')!.topicHash
const beneficiaryTopic = deliveryInterface.getEvent('BeneficiaryChanged')!.topicHash
const transferTopic = collectionInterface.getEvent('Transfer')!.topicHash
const custodyTopics = ['CustodyIn', 'BeneficiaryChanged'].map((name) => deliveryInterface.getEvent(name)!.topicHash)

/**
 * All queries to the chain, by one or two nodes. Reads, estimates and broadcasts use whichever node responds; what is
 * final, and the logs and receipts that end a line, need both. A query throws when no node responds, also when the
 * response is an error that says nothing about the call.
 */
export function createNode({
  rpcUrl,
  secondRpcUrl,
  chainId,
  finalityDepth,
  fromBlock,
  logRange,
  contracts,
  patience,
}: {
  rpcUrl: string
  secondRpcUrl?: string
  chainId: number
  finalityDepth: number
  /** The block of the first contract. */
  fromBlock: number
  /** Maximum number of blocks per query of logs. */
  logRange: number
  contracts: Contracts
  patience: Patience
}) {
  const nodes = connectNodes({ urls: [rpcUrl, ...(secondRpcUrl ? [secondRpcUrl] : [])], chainId, patience })
  const finality = createFinality({ nodes, depth: finalityDepth })
  const delivery = (provider: JsonRpcProvider) => deliveryAt(contracts.delivery, provider)
  const collection = (provider: JsonRpcProvider) => collectionAt(contracts.collection, provider)
  const logs = createLogReader({ nodes, contracts, maxRange: logRange })
  const assertComplete = createLogCheck({ nodes, contracts })
  const send = (method: string, params: unknown[]) => nodes.any((provider) => provider.send(method, params))

  /** A node may not have it yet: undefined only when every node says so. Throws while one does not respond. */
  async function receipt(hash: string): Promise<Receipt | undefined> {
    const found = await nodes.any((provider) => readReceipt(provider, hash))
    if (found || nodes.count === 1) return found
    return (await nodes.all((provider) => readReceipt(provider, hash))).find(Boolean)
  }

  /** True when every node has this receipt, in a block that every node has. Throws while one does not respond. */
  async function isReceiptAgreed({ hash, block, blockHash, succeeded }: Receipt): Promise<boolean> {
    const [receipts, agreed] = await Promise.all([
      nodes.all((provider) => readReceipt(provider, hash)),
      finality.agreedBlock(block),
    ])
    const isSame = (other?: Receipt) => other?.blockHash === blockHash && other.succeeded === succeeded
    return agreed?.hash === blockHash && receipts.every(isSame)
  }

  /** True when a node has another block there. Throws while a node has none, or does not respond. */
  async function isReplaced({ number, hash }: { number: number; hash: string }): Promise<boolean> {
    const blocks = await nodes.each((provider) => readBlock(provider, number))
    const hashes = blocks.map((block) => (block.status === 'fulfilled' ? block.value?.hash : undefined))
    if (hashes.some((other) => other && other !== hash)) return true
    if (hashes.includes(undefined)) throw new Error(`A node does not respond with block ${number}`)
    return false
  }

  /** True when the contract has delivered the line (bytes32) up to this block. */
  const isLineUsed = (lineKey: string, at: At): Promise<boolean> =>
    read(at, (provider) => delivery(provider).isLineUsed!(lineKey, { blockTag: at }))

  /**
   * The logs of the transaction that delivered a line, in a final block; none while there is no such transaction. A
   * gift is found with the id of its token only.
   */
  async function deliveryLogs(lineKey: string, id: bigint | undefined): Promise<LoggedEvent[]> {
    const { final } = await finality.heads()
    if (!final || !(await isLineUsed(lineKey, final.number))) return []
    const found =
      (await logs.findNewest({ from: fromBlock, to: final.number }, [deliveredTopic, lineKey])) ??
      (id === undefined ? undefined : await findGift({ lineKey, id, last: final.number }))
    if (!found) return []
    const inBlock = await logs.read({ from: found.block, to: found.block })
    return inBlock.logs.filter(({ txHash }) => txHash === found.txHash)
  }

  /** The log of a gift does not index its line: those of its token are read, newest first. */
  async function findGift({ lineKey, id, last }: { lineKey: string; id: bigint; last: number }) {
    const topics = [beneficiaryTopic, null, zeroPadValue(toBeHex(id), 32)]
    for (let to = last; to >= fromBlock; ) {
      const found = await logs.findNewest({ from: fromBlock, to }, topics)
      if (!found) return undefined
      if (found.event.name === 'beneficiary-changed' && found.event.lineId === lineKey) return found
      to = found.block - 1
    }
  }

  /** The logs of the block that has the newest move of a token, into or within custody or into a wallet. */
  async function newestMove(id: bigint, { inCustody, last }: { inCustody: boolean; last: number }) {
    const key = zeroPadValue(toBeHex(id), 32)
    const topics = inCustody ? [custodyTopics, null, key] : [transferTopic, null, null, key]
    const found = await logs.findNewest({ from: fromBlock, to: last }, topics)
    return found ? (await logs.read({ from: found.block, to: found.block })).logs : []
  }

  /** Runs a call. Returns its refusal; throws when the outcome is unknown. */
  const attempt = <Result>(at: At, query: (provider: JsonRpcProvider) => Promise<Result>) =>
    read(at, async (provider) => {
      try {
        return { result: await query(provider), refusal: undefined }
      } catch (error) {
        const refusal = revertOf(error)
        if (!refusal) throw error
        return { refusal }
      }
    })

  /** At a given block every node has to respond the same; at the newest one, whichever responds. */
  async function read<Result>(at: At, query: (provider: JsonRpcProvider) => Promise<Result>): Promise<Result> {
    if (at === 'latest') return nodes.any(query)
    const [first, ...others] = await nodes.all(query)
    if (!others.every((other) => isDeepStrictEqual(other, first))) throw new Error(`The nodes differ at block ${at}`)
    return first!
  }

  const acceptsCalls = ({ to }: Pick<Call, 'to'>, signer: string, { at, tokens = 1 }: { at: At; tokens?: number }) =>
    read(at, (provider) => readAcceptance(provider, contracts, { to, signer, at, tokens }))

  /**
   * Throws when the contract accepts no such call of the signer now: that says nothing about the line or the recipient.
   */
  async function assertAccepts(call: Call, signer: string, state: { refusal: Revert; at: At; tokens?: number }) {
    if (await acceptsCalls(call, signer, state)) return
    throw new Error(`The contract accepts no such call of the signer now: ${state.refusal.text}`)
  }

  /** The revert of a signer's call for one token; undefined when the call succeeds. */
  async function refusalOf(call: Call, sender: Sender, at: At): Promise<Revert | undefined> {
    const request = { ...requestOf(call, sender), gasLimit: batchGas(1), blockTag: at }
    const { refusal } = await attempt(at, (provider) => provider.call(request))
    if (refusal) await assertAccepts(call, sender.address, { refusal, at })
    return refusal
  }

  /** Whether an address is a signer of each contract, and the block at which that was read. */
  const rolesOf = (address: string, at: At): Promise<Roles & { block: number }> =>
    read(at, async (provider) => {
      const block = at === 'latest' ? (await readBlock(provider, at))!.number : at
      const [ofCollection, ofDelivery] = await Promise.all(
        [collection(provider), delivery(provider)].map((contract) => contract.isSigner!(address, { blockTag: block })),
      )
      return { block, collection: ofCollection, delivery: ofDelivery }
    })

  /** `tokens`: how many the call mints or moves. */
  async function estimate(call: Call, sender: Sender, tokens = 1): Promise<{ gas: bigint } | { refusal: Revert }> {
    const request = requestOf(call, sender)
    const { result, refusal } = await attempt('latest', (provider) => provider.estimateGas(request))
    if (!refusal) return { gas: result! }
    await assertAccepts(call, sender.address, { refusal, at: 'latest', tokens })
    return { refusal }
  }

  /** Throws when no node accepts it. */
  async function broadcast(raw: string): Promise<void> {
    const responses = await nodes.each((provider) => provider.send('eth_sendRawTransaction', [raw]))
    const [first] = responses
    if (first!.status === 'rejected' && responses.every(({ status }) => status === 'rejected')) throw first!.reason
  }

  /** The holder of a token, checksummed; undefined when the token does not exist. */
  async function holderOf(id: bigint, at: At = 'latest'): Promise<string | undefined> {
    const outcome = await attempt(at, (provider) => collection(provider).ownerOf!(id, { blockTag: at }))
    if (!outcome.refusal) return String(outcome.result)
    if (outcome.refusal.name === 'ERC721NonexistentToken') return undefined
    throw new Error(`The collection does not tell the holder of ${id}: ${outcome.refusal.text}`)
  }

  let naming: { name: string; symbol: string } | undefined
  /** Name and symbol of the collection, which never change; the name is also that of its EIP-712 domain. */
  async function collectionNaming(): Promise<{ name: string; symbol: string }> {
    naming ??= await nodes.any(async (provider) => {
      const [name, symbol] = await Promise.all([collection(provider).name!(), collection(provider).symbol!()])
      return { name: String(name), symbol: String(symbol) }
    })
    return naming
  }

  return {
    heads: finality.heads,
    isContinued: finality.isContinued,
    finalBlock: async (age?: { maxAgeMs: number }) => (await finality.heads(age)).final,
    agreedBlock: finality.agreedBlock,
    /** Why and since when no new block is final; undefined while blocks become final. */
    finalityWait: finality.wait,
    blockAt: (tag: BlockTag) => nodes.any((provider) => readBlock(provider, tag)),
    /**
     * The logs from a block on, up to the block `last`, because nodes refuse large ranges. Throws while the nodes
     * differ, or omit logs that a block has.
     */
    logs: async (blocks: { from: number; to: number }) => {
      const found = await logs.read(blocks)
      await assertComplete(found)
      return found
    },
    deliveryLogs,
    newestMove,
    receipt,
    feeOf: (hash: string) => nodes.any((provider) => readFee(provider, hash)),
    isReceiptAgreed,
    isReplaced,
    isLineUsed,
    acceptsCalls,
    refusalOf,
    succeeds: (call: Call, sender: Sender, gasLimit: bigint): Promise<boolean> =>
      nodes.any((provider) => succeeds(provider, { ...requestOf(call, sender), gasLimit })),
    estimate,
    fees: () => nodes.any(readFees),
    broadcast,
    holderOf,
    rolesOf,
    /** The number of an account's transactions up to a block. */
    nonceAt: async (address: string, tag: number | 'latest' | 'pending') =>
      Number(await send('eth_getTransactionCount', [address, typeof tag === 'number' ? quantity(tag) : tag])),
    hasCode: async (address: string) => (await send('eth_getCode', [address, 'latest'])) !== '0x',
    /** In wei. */
    balance: async (address: string) => BigInt(await send('eth_getBalance', [address, 'latest'])),
    /** How many tokens a signer may mint, or move, until the hour of the newest block ends. */
    leftInHour: async (address: string, kind: 'mint' | 'delivery') =>
      Number(
        await nodes.any((provider): Promise<bigint> => {
          const contract = kind === 'mint' ? collection(provider) : delivery(provider)
          return contract.leftInHour!(address)
        }),
      ),
    /** The custody account (bytes32) of a token; zero when it is not in custody. */
    beneficiaryOf: (id: bigint, at: At = 'latest'): Promise<string> =>
      read(at, (provider) => delivery(provider).beneficiaryOf!(contracts.collection, id, { blockTag: at })),
    permitNonce: (id: bigint, at: At = 'latest'): Promise<bigint> =>
      read(at, (provider) => collection(provider).nonces!(id, { blockTag: at })),
    /** Simulates `permit`, so that signatures of contract wallets (ERC-1271) are accepted too. */
    acceptsPermit: async (id: bigint, { deadline, signature }: { deadline: number; signature: string }) => {
      const args = [contracts.delivery, id, deadline, signature]
      const data = collectionInterface.encodeFunctionData('permit', args)
      const call = { to: contracts.collection, from: contracts.delivery, data }
      return (await attempt('latest', (provider) => provider.call(call))).refusal === undefined
    },
    collectionNaming,
    stop: nodes.stop,
  }
}
