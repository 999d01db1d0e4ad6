import type { OpsStatus } from '@nifty/api/minting/ops'
import { sql } from 'kysely'
import { findCursor } from '../chain-index/cursor.store.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { openTransactions } from '../chain-transactions/chain-transaction.store.ts'
import { findSigner } from '../chain-transactions/signer.store.ts'
import { deliveriesLeft } from '../deliveries/delivery-gas.ts'

/** Values from the chain are null while its node does not respond. */
export async function readStatus(context: ChainContext): Promise<OpsStatus> {
  const { db, signer, contracts } = context
  const row = await findSigner(db, signer.address)
  const open = await openTransactions(db, signer.address)
  const cursor = await findCursor(db, contracts.collection)
  const chain = await readChain(context).catch(() => undefined)
  const { rows } = await sql<{ waiting: number; signed: number; accepted: number; oldest: Date | null }>`
    select (select count(*) from delivery where state = 'waiting') as waiting,
      (select count(*) from delivery where state = 'signed') as signed,
      (select count(*) from mint where state = 'accepted') as accepted,
      (select min(created_at) from delivery where state in ('waiting', 'signed')) as oldest`.execute(db)
  const { waiting, signed, accepted, oldest } = rows[0]!

  return {
    signer: {
      address: signer.address,
      haltedReason: row?.haltedReason ?? null,
      haltedAt: row?.haltedAt?.toISOString() ?? null,
      nextNonce: row?.nextNonce ?? null,
      chainNonce: chain?.nonce ?? null,
      nonceGap: row && chain ? row.nextNonce - chain.nonce : null,
      openTransactions: open.length,
      oldestOpen: open[0]?.signedAt.toISOString() ?? null,
    },
    deliveries: { waiting: Number(waiting), signed: Number(signed), oldest: oldest?.toISOString() ?? null },
    mintsWaiting: Number(accepted),
    balance: chain
      ? { wei: String(chain.balance), deliveriesLeft: deliveriesLeft(chain.balance, chain.maxFeePerGas) }
      : null,
    index: {
      block: cursor?.block ?? null,
      finalBlock: chain?.finalBlock ?? null,
      haltedReason: cursor?.haltedReason ?? null,
    },
  }
}

async function readChain({ node }: ChainContext) {
  const [nonce, balance, fees, final] = await Promise.all([
    node.nonceAt('latest'),
    node.balance(),
    node.fees(),
    node.finalBlock(),
  ])
  return { nonce, balance, maxFeePerGas: fees.maxFeePerGas, finalBlock: final?.number ?? null }
}
