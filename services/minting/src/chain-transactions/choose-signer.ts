import { batchGas } from '@nifty/contracts/calls'
import type { Signer } from '../chain/signer.ts'
import type { ChainContext } from './chain-context.ts'
import { readOpenCost, readQueues } from './chain-transaction.store.ts'
import { addSigner, listSigners } from './signer.store.ts'
import { MAX_BATCH, maySign, rankSigners } from './signer.ts'

/** The gas limit of a full transaction: 40 mints; a batch of deliveries has 20. */
const TRANSACTION_GAS = batchGas(40)

/** A signer that has both roles at block `roleBlock`. */
export type UsableSigner = { signer: Signer; roleBlock: number }

/** Stores a new key with the nonce that the chain reports. Afterwards only the database counts. */
export async function ensureSigners({ db, node, signers }: ChainContext) {
  const known = new Set((await listSigners(db)).map(({ address }) => address))
  for (const address of signers.addresses)
    if (!known.has(address)) await addSigner(db, address, await node.nonceAt(address, 'pending'))
}

/** Signers whose key this process has, and that are active and not halted. */
export async function configuredSigners({ db, signers }: ChainContext): Promise<string[]> {
  const rows = await listSigners(db)
  return signers.addresses.filter((address) => rows.some((row) => row.address === address && maySign(row)))
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

/**
 * The signer of the next transaction, and how many of the given tokens it may move; undefined while none may sign, or
 * all have reached their limits: those of their queues, and the moves per hour that the contract allows.
 */
export async function chooseSigner(
  context: ChainContext,
  { moves }: { moves: number },
): Promise<(UsableSigner & { moves: number }) | undefined> {
  const queues = await readQueues(context.db, context.signers.addresses)
  const addresses = queues.map(({ address }) => address)
  const funded = addresses.length > 1 ? await fundedSigners(context, addresses) : addresses
  const ranked = rankSigners(
    queues.map((queue) => ({ ...queue, isFunded: funded.includes(queue.address) })),
    context.settings,
  )
  for (const address of ranked) {
    const [usable] = await withRoles(context, [address])
    if (!usable) continue
    if (moves === 0) return { ...usable, moves }
    // A transaction beyond the limit would revert. Unmined ones are counted as full.
    const unmined = queues.find((queue) => queue.address === address)!.unmined
    const left = (await context.node.movesLeft(address)) - unmined * MAX_BATCH
    if (left > 0) return { ...usable, moves: Math.min(moves, left) }
  }
}

/** Signers whose balance pays for their open transactions and a full one more. */
async function fundedSigners({ db, node }: ChainContext, addresses: string[]): Promise<string[]> {
  const { maxFeePerGas } = await node.fees()
  const funded: string[] = []
  for (const address of addresses) {
    const [balance, { openCost }] = [await node.balance(address), await readOpenCost(db, [address])]
    if (balance >= openCost + TRANSACTION_GAS * maxFeePerGas) funded.push(address)
  }
  return funded
}
