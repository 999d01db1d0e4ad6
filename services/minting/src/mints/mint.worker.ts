import { ensureCustodyAccount } from '../accounts/account.store.ts'
import { type MintOrder, mintBatchCall } from '../chain/calls.ts'
import { keyOf } from '../chain/keys.ts'
import { checkedAddress } from '../chain/node.ts'
import type { Lane } from '../chain-transactions/chain-context.ts'
import { withinCap, withMargin } from '../chain-transactions/fees.ts'
import { isLaneFree, signNext } from '../chain-transactions/queue.ts'
import { acceptedMints, changeMint, lockAccepted } from './mint.store.ts'
import type { Mint } from './mint.ts'

const WORKS_PER_TRANSACTION = 40

/**
 * Signs a batch of works that wait. A work that cannot be minted is refused in its batch and harms no other.
 * Answers true when more may be waiting.
 */
export async function signMints(lane: Lane): Promise<boolean> {
  const { db, node, signer, contracts } = lane
  const accepted = await acceptedMints(db, WORKS_PER_TRANSACTION)
  if (accepted.length === 0 || !(await isLaneFree(lane))) return false
  await node.confirm()

  const single = accepted.find(({ alone }) => alone)
  const chosen = single ? [single] : accepted
  const orders: MintOrder[] = []
  for (const mint of chosen) orders.push(await orderOf(lane, mint))
  const call = mintBatchCall(contracts.collection, orders)
  const estimate = await node.estimate(call)
  if ('refusal' in estimate) {
    lane.log.error({ alarm: 'mint_refused', reason: estimate.refusal.text }, 'the chain takes no mints')
    return false
  }
  const fees = withinCap(await node.fees(), lane.settings.maxFee)

  await db.transaction().execute(async (trx) => {
    const wanted = { kind: 'mint', call, gasLimit: withMargin(estimate.gas), fees } as const
    const signed = await signNext(trx, signer, wanted)
    const mints = await lockAccepted(
      trx,
      chosen.map(({ id }) => id),
    )
    if (mints.length < chosen.length) throw new Error('Another replica is signing these mints')
    for (const { id } of mints) await changeMint(trx, id, { state: 'minting', transactionId: signed.id })
  })
  return accepted.length > chosen.length || accepted.length === WORKS_PER_TRANSACTION
}

/** Into the creator's wallet, or into custody under the creator's opaque account. */
async function orderOf({ db, contracts }: Lane, mint: Mint): Promise<MintOrder> {
  const mintId = keyOf(mint.id)
  const receiver = mint.royaltyWallet && checkedAddress(mint.royaltyWallet)
  const royalty = receiver ? { receiver, bps: mint.royaltyBps } : undefined
  if (mint.wallet) return { mintId, to: checkedAddress(mint.wallet)!, royalty }
  const account = await db.transaction().execute((trx) => ensureCustodyAccount(trx, mint.creatorId))
  return { mintId, to: contracts.delivery, account: keyOf(account), royalty }
}
