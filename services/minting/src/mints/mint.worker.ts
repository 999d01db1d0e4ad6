import { checkedAddress } from '@nifty/contracts/address'
import { type MintOrder, mintBatchCall } from '@nifty/contracts/calls'
import { keyOf } from '@nifty/contracts/keys'
import { ensureCustodyAccount } from '../accounts/account.store.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { chooseSigner } from '../chain-transactions/choose-signer.ts'
import { firstFees, withMargin } from '../chain-transactions/fees.ts'
import { signNext } from '../chain-transactions/queue.ts'
import { MAX_BATCH } from '../chain-transactions/signer.ts'
import { acceptedMints, lockAcceptedMints, updateMint } from './mint.store.ts'
import { commitmentOf, type Mint } from './mint.ts'

/**
 * Signs the oldest accepted mints in one transaction. The contract skips a mint that would revert and logs
 * `MintRefused`. Returns true when more may be waiting.
 */
export async function signMints(context: ChainContext): Promise<boolean> {
  const { db, node, contracts } = context
  const accepted = await acceptedMints(db, MAX_BATCH.mint)
  if (accepted.length === 0) return false
  const fees = firstFees(await node.fees(), context.settings.maxFee)
  if (!fees) return false
  const wanted = { kind: 'mint', entries: accepted.length, maxFeePerGas: fees.maxFeePerGas } as const
  const usable = await chooseSigner(context, wanted)
  if (!usable) return false

  const single = accepted.find(({ alone }) => alone)
  const chosen = single ? [single] : accepted.slice(0, usable.entries)
  const orders: MintOrder[] = []
  for (const mint of chosen) orders.push(await orderOf(context, mint))
  const call = mintBatchCall(contracts.collection, orders)
  const estimate = await node.estimate(call, { ...fees, address: usable.signer.address }, orders.length)
  if ('refusal' in estimate) {
    context.log.error(
      { alarm: 'mint_refused', reason: estimate.refusal.text },
      'the estimate of a batch of mints reverts, trying again',
    )
    return false
  }

  try {
    await db.transaction().execute(async (trx) => {
      const wanted = { kind: 'mint', call, gasLimit: withMargin(estimate.gas, orders.length), fees } as const
      const signed = await signNext(trx, usable, wanted)
      const mints = await lockAcceptedMints(
        trx,
        chosen.map(({ id }) => id),
      )
      if (mints.length < chosen.length) throw new SignedElsewhere()
      for (const { id } of mints) await updateMint(trx, id, { state: 'minting', transactionId: signed.id })
    })
  } catch (error) {
    // What is left is selected again.
    if (error instanceof SignedElsewhere) return true
    throw error
  }
  return accepted.length > chosen.length || accepted.length === MAX_BATCH.mint
}

/** Another process has signed some of the chosen mints: nothing is signed here, which is no failure. */
class SignedElsewhere extends Error {}

/** Mints into the creator's wallet, or into custody under the creator's custody account. */
async function orderOf({ db, contracts }: ChainContext, mint: Mint): Promise<MintOrder> {
  const mintId = keyOf(mint.id)
  const work = commitmentOf(mint)
  const receiver = mint.royaltyWallet && checkedAddress(mint.royaltyWallet)
  const royalty = receiver ? { receiver, bps: mint.royaltyBps } : undefined
  if (mint.wallet) return { mintId, to: checkedAddress(mint.wallet)!, royalty, ...work }
  const account = await db.transaction().execute((trx) => ensureCustodyAccount(trx, mint.creatorId))
  return { mintId, to: contracts.delivery, account: keyOf(account), royalty, ...work }
}
