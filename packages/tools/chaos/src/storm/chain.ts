import type { RunFile } from '@nifty/testkit/run-file'
import { waitUntil } from '@nifty/testkit/wait-until'
import { Interface } from 'ethers'
import type { Servers } from './servers.ts'

export type Transaction = { hash: string; from: string; nonce: number; block: number }
/**
 * `line` is the id of the order line, or of the withdrawal; `account` the custody account of a delivery into custody.
 * Addresses and tokens in lower case.
 */
export type Delivered = { line: string; token: string; to: string; account: string | null; hash: string }
/** A change of the beneficiary without a sale: the claim of a gift. `line`: its id. */
export type Claim = { line: string; token: string; hash: string }
/** Where a token is: its owner, the custody account that it is kept for, and the transaction that put it there. */
export type Holding = { owner: string; account: string | null; hash: string }
export type ChainRecord = {
  transactions: Transaction[]
  delivered: Delivered[]
  claims: Claim[]
  ownerOf: Map<string, string>
  /** Of each token. */
  holdings: Map<string, Holding>
}

/** Blocks that are requested together. */
const AT_ONCE = 50

/**
 * `anvil_reorg` in the moment of a new block leaves a gap (1 in 60, tried on anvil alone), and sometimes an abandoned
 * block behind it. A block that is missing so far below the head stays missing; a transaction of a signer in it would
 * be a missing nonce, which has a question. The transactions of an abandoned block are in a later one as well: each
 * counts once.
 */
const LATE_BLOCKS = 5

type Block = { number: string; transactions: { hash: string; from: string; nonce: string }[] }
type Log = { topics: string[]; data: string; transactionHash: string }

const abi = new Interface([
  'event Delivered(bytes32 indexed lineId, address indexed token, uint256 indexed id, address from, address to)',
  'event CustodyIn(address indexed token, uint256 indexed id, bytes32 indexed account, address from)',
  'event BeneficiaryChanged(address indexed token, uint256 indexed id, bytes32 indexed account, bytes32 previous, bytes32 lineId)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
])
const topicOf = (name: string) => abi.getEvent(name)!.topicHash

/** Every transaction, delivery and owner of a token on the chain, read without the store's code. */
export async function readChain({ contracts }: RunFile, { chain }: Pick<Servers, 'chain'>): Promise<ChainRecord> {
  const head = Number(await chain<string>('eth_blockNumber', []))
  const transactions = new Map<string, Transaction>()
  const readBlock = (number: number) =>
    waitUntil(async () => {
      const block = await chain<Block | null>('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])
      if (block) return [block]
      // The node counts a new block shortly before it has it.
      return Number(await chain<string>('eth_blockNumber', [])) > number + LATE_BLOCKS && []
    })
  for (let from = 0; from <= head; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, head + 1 - from) }, (_, place) => from + place)
    for (const block of (await Promise.all(numbers.map(readBlock))).flat())
      for (const { hash, from, nonce } of block.transactions)
        transactions.set(hash, { hash, from: from.toLowerCase(), nonce: Number(nonce), block: Number(block.number) })
  }
  const logsOf = (address: string, topic: string | string[]) =>
    chain<Log[]>('eth_getLogs', [{ address, topics: [topic], fromBlock: '0x0', toBlock: 'latest' }])

  const accounts = new Map<string, string>()
  const changes: Claim[] = []
  const keptFor = new Map<string, { account: string; hash: string }>()
  for (const log of await logsOf(contracts.delivery, [topicOf('CustodyIn'), topicOf('BeneficiaryChanged')])) {
    const { token, id, account, lineId } = abi.parseLog(log)!.args
    if (lineId) changes.push({ line: uuidOf(lineId), token: tokenOf(token, id), hash: log.transactionHash })
    accounts.set(`${log.transactionHash} ${tokenOf(token, id)}`, uuidOf(account))
    keptFor.set(tokenOf(token, id), { account: uuidOf(account), hash: log.transactionHash })
  }
  const delivered = new Map<string, Delivered>()
  for (const log of await logsOf(contracts.delivery, topicOf('Delivered'))) {
    const { lineId, token, id, to } = abi.parseLog(log)!.args
    const account = accounts.get(`${log.transactionHash} ${tokenOf(token, id)}`) ?? null
    const [line, hash] = [uuidOf(lineId), log.transactionHash]
    delivered.set(`${hash} ${line}`, { line, token: tokenOf(token, id), to: to.toLowerCase(), account, hash })
  }
  const ownerOf = new Map<string, string>()
  const holdings = new Map<string, Holding>()
  for (const log of await logsOf(contracts.collection, topicOf('Transfer'))) {
    const { to, tokenId } = abi.parseLog(log)!.args
    const [token, owner] = [tokenOf(contracts.collection, tokenId), to.toLowerCase()]
    ownerOf.set(token, owner)
    const kept = owner === contracts.delivery.toLowerCase() ? keptFor.get(token) : undefined
    holdings.set(token, { owner, ...(kept ?? { account: null, hash: log.transactionHash }) })
  }
  const sold = new Set([...delivered.values()].map(({ line }) => line))
  const claims = new Map(
    changes.filter(({ line }) => !sold.has(line)).map((claim) => [`${claim.hash} ${claim.line}`, claim]),
  )
  return {
    transactions: [...transactions.values()],
    delivered: [...delivered.values()],
    claims: [...claims.values()],
    ownerOf,
    holdings,
  }
}

const tokenOf = (contract: string, id: bigint) => `${contract.toLowerCase()}/${id}`

/** A line's id on the chain is its uuid, followed by zeros. */
const uuidOf = (key: string) => key.slice(2, 34).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
