import { batchGas, GAS_PER_ENTRY } from '@nifty/contracts/calls'
import type { Signer } from '../chain/signer.ts'
import type { ChainContext } from './chain-context.ts'
import { type ChainTransaction, readOpenCost, readQueues } from './chain-transaction.store.ts'
import { addSigner, listSigners } from './signer.store.ts'
import { MAX_BATCH, maySign, rankSigners } from './signer.ts'

/** A signer that has both roles at block `roleBlock`. */
export type UsableSigner = { signer: Signer; roleBlock: number }

/** Stores a new key with the nonce that the chain reports. Afterwards only the database counts. */
export async function ensureSigners({ db, node, signers }: ChainContext) {
  const known = new Set((await listSigners(db)).map(({ address }) => address))
  for (const address of signers.addresses)
    if (!known.has(address)) await addSigner(db, address, await node.nonceAt(address, 'pending'))
}

/** Signers whose key this process has and can use, and that are active and not halted. */
export async function configuredSigners({ db, signers }: ChainContext): Promise<string[]> {
  const rows = await listSigners(db)
  const available = await signers.available()
  return available.filter((address) => rows.some((row) => row.address === address && maySign(row)))
}

/** Those of the given signers that have both roles at the newest block. */
export async function withRoles({ node, signers }: ChainContext, addresses: string[]): Promise<UsableSigner[]> {
  const usable: UsableSigner[] = []
  for (const address of addresses) {
    const { block, collection, delivery } = await node.rolesOf(address, 'latest')
    if (collection && delivery) usable.push({ signer: signers.find(address)!, roleBlock: block })
  }
  return usable
}

/** What is to be signed; `maxFeePerGas` in wei. */
export type WantedTransaction = { kind: ChainTransaction['kind']; entries: number; maxFeePerGas: bigint }

/**
 * The signer of the next transaction, and how many of the wanted entries it may have; undefined while none may sign,
 * or all have reached their limits: those of their queues, their balance, and the tokens per hour that the contract
 * allows.
 */
export async function chooseSigner(
  context: ChainContext,
  wanted: WantedTransaction,
): Promise<(UsableSigner & { entries: number }) | undefined> {
  const queues = await readQueues(context.db, await context.signers.available())
  const paid = new Map<string, number>()
  for (const { address } of queues) paid.set(address, await paidEntries(context, address, wanted))
  const funded = queues.filter(({ address }) => paid.get(address)! > 0)
  const ranked = rankSigners(
    funded.map((queue) => ({ ...queue, isFunded: paid.get(queue.address)! >= wanted.entries })),
    context.settings,
  )
  for (const address of ranked) {
    const [usable] = await withRoles(context, [address])
    if (!usable) continue
    const entries = Math.min(wanted.entries, paid.get(address)!)
    // A transaction beyond the limit would revert. Unmined ones are counted as full.
    const unmined = queues.find((queue) => queue.address === address)!.unmined
    const left = (await context.node.leftInHour(address, wanted.kind)) - unmined * MAX_BATCH[wanted.kind]
    if (left > 0) return { ...usable, entries: Math.min(entries, left) }
  }
}

/**
 * How many entries the balance of a signer pays for beside its transactions that are in no block. What is signed
 * without gas money can neither be sent nor cancelled. Mints leave what the waiting deliveries need. On a chain without
 * fees there is no limit.
 */
async function paidEntries({ db, node }: ChainContext, address: string, { kind, maxFeePerGas }: WantedTransaction) {
  if (maxFeePerGas === 0n) return Number.POSITIVE_INFINITY
  const [balance, { openCost, waiting }] = [await node.balance(address), await readOpenCost(db, [address])]
  const reserved = kind === 'mint' ? BigInt(waiting) * GAS_PER_ENTRY : 0n
  const gas = (balance - openCost) / maxFeePerGas - reserved - batchGas(0)
  return Math.max(0, Number(gas / GAS_PER_ENTRY))
}
