import type { OpsStatus } from '@nifty/api/minting'
import { sql } from 'kysely'
import { findCursor } from '../chain-index/cursor.store.ts'
import { deliveriesLeft, type Lane } from '../chain-transactions/chain-context.ts'
import { findLane, openTransactions } from '../chain-transactions/chain-transaction.store.ts'

/** What an operator looks at first. Facts of the chain are null while its node does not answer. */
export async function statusOf(lane: Lane): Promise<OpsStatus> {
  const { db, signer, contracts } = lane
  const known = await findLane(db, signer.address)
  const open = await openTransactions(db, signer.address)
  const cursor = await findCursor(db, contracts.collection)
  const chain = await askChain(lane).catch(() => undefined)
  const { rows } = await sql<{ waiting: number; signed: number; accepted: number; oldest: Date | null }>`
    select (select count(*) from delivery where state = 'waiting') as waiting,
      (select count(*) from delivery where state = 'signed') as signed,
      (select count(*) from mint where state = 'accepted') as accepted,
      (select min(created_at) from delivery where state in ('waiting', 'signed')) as oldest`.execute(db)
  const { waiting, signed, accepted, oldest } = rows[0]!

  return {
    lane: {
      signer: signer.address,
      halted: known?.haltedReason ?? null,
      haltedAt: known?.haltedAt?.toISOString() ?? null,
      nextNonce: known?.nextNonce ?? null,
      chainNonce: chain?.nonce ?? null,
      /** Signed but in no block; not zero for long means that something is stuck. */
      nonceGap: known && chain ? known.nextNonce - chain.nonce : null,
      openTransactions: open.length,
      oldestOpen: open[0]?.signedAt.toISOString() ?? null,
    },
    deliveries: { waiting: Number(waiting), signed: Number(signed), oldest: oldest?.toISOString() ?? null },
    mintsWaiting: Number(accepted),
    balance: chain
      ? { wei: String(chain.balance), deliveriesLeft: deliveriesLeft(chain.balance, chain.maxFeePerGas) }
      : null,
    index: { block: cursor?.block ?? null, finalBlock: chain?.finalBlock ?? null, trouble: cursor?.trouble ?? null },
  }
}

async function askChain({ node }: Lane) {
  const [nonce, balance, fees, final] = await Promise.all([
    node.nonceAt('latest'),
    node.balance(),
    node.fees(),
    node.finalBlock(),
  ])
  return { nonce, balance, maxFeePerGas: fees.maxFeePerGas, finalBlock: final?.number ?? null }
}
