import type { OpsStatus } from '@nifty/api/minting/ops'
import { within } from '@nifty/service-kit/base/within'
import { sql } from 'kysely'
import { waitSeconds } from '../chain/finality.ts'
import { findCursor } from '../chain-index/cursor.store.ts'
import { openFindings } from '../chain-transactions/audit-finding.store.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { readChainState } from '../chain-transactions/chain-state.ts'
import type { Db } from '../db.ts'
import { CHAIN_WITHIN_MS, readSigners } from './signer-status.ts'

/** Values from the chain are null while its node does not respond within three seconds. */
export async function readStatus(context: ChainContext): Promise<OpsStatus> {
  const { db, node, contracts } = context
  // At the same time: a node that hangs is waited for once.
  const [signers, finalBlock, chain, cursor, findings, oldest, counts] = await Promise.all([
    readSigners(context),
    within(CHAIN_WITHIN_MS, node.finalBlock()).catch(() => undefined),
    within(CHAIN_WITHIN_MS, readChainState(context)).catch(() => null),
    findCursor(db, contracts.collection),
    openFindings(db),
    oldestDelivery(db),
    sql<{ waiting: number; signed: number; accepted: number }>`
      select (select count(*) from delivery where state = 'waiting') as waiting,
        (select count(*) from delivery where state = 'signed') as signed,
        (select count(*) from mint where state = 'accepted') as accepted`.execute(db),
  ])
  const wait = node.finalityWait()
  const { waiting, signed, accepted } = counts.rows[0]!

  return {
    signers,
    deliveries: { waiting: Number(waiting), signed: Number(signed), oldest },
    mintsWaiting: Number(accepted),
    chain,
    index: {
      block: cursor?.block ?? null,
      finalBlock: finalBlock?.number ?? null,
      haltedReason: cursor?.haltedReason ?? null,
    },
    finality: { waitSeconds: waitSeconds(wait), reason: wait?.reason ?? null },
    auditFindings: findings.map(({ hash, block, foundAt, lines, mints }) => ({
      hash,
      block,
      lines,
      mints,
      foundAt: foundAt.toISOString(),
    })),
  }
}

async function oldestDelivery(db: Db): Promise<OpsStatus['deliveries']['oldest']> {
  const oldest = await db
    .selectFrom('delivery')
    .select(['lineId', 'state', 'note', 'createdAt'])
    .where('state', 'in', ['waiting', 'signed'])
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return null
  const { lineId, state, note, createdAt } = oldest
  return { lineId, state: state as 'waiting' | 'signed', since: createdAt.toISOString(), note }
}
