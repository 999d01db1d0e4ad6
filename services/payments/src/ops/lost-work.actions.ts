import { findItemOwners } from '@nifty/api/catalog/internal'
import { findTokenOwners } from '@nifty/api/minting/internal'
import type { TokenSides } from '@nifty/api/payments/lost-works'
import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import type { Kysely } from 'kysely'
import { isAcknowledged, viewAcknowledgement } from '../alarms/acknowledgement.ts'
import type { Database } from '../db.ts'
import type { Deps } from '../deps.ts'
import { findDifference, lockDifference, storeAcknowledgement } from '../reconciliation/acknowledgement.store.ts'
import { notOnChain, ownerDifference } from '../reconciliation/owners.step.ts'

type Clients = Pick<Deps, 'minting' | 'catalog'>

/**
 * A token as minting's index of the chain and catalog have it now, and whether an operator acknowledged that they
 * differ.
 */
export async function compareToken(
  { db, ...clients }: Clients & { db: Kysely<Database> },
  token: string,
): Promise<TokenSides> {
  const sides = await readSides(clients, token)
  const row = await findDifference(db, 'token', token)
  return { ...sides, acknowledged: row && row.detail === sides.difference ? viewAcknowledgement(row) : null }
}

async function readSides({ minting, catalog }: Clients, token: string) {
  const { tokens } = await minting(findTokenOwners, { body: { tokens: [token] } })
  const { items } = await catalog(findItemOwners, { body: { tokens: [token] } })
  const [found, item] = [tokens[0], items[0]]
  const difference = found ? ownerDifference(found, item?.ownerId) : item ? notOnChain(token) : null
  return {
    token,
    chain: found ? { ownerId: found.ownerId, hasMint: found.hasMint } : null,
    item: item ? { ownerId: item.ownerId } : null,
    difference: difference?.detail ?? null,
  }
}

/**
 * Records that the work of a token is lost, so that its difference does not count. Idempotent. Throws 404
 * `difference_not_found` unless a reconciliation found the difference, 409 `work_not_lost` when catalog has the work.
 */
export async function acknowledgeLostWork(
  deps: Deps,
  { token, operator, reason }: { token: string } & OperatorReason,
): Promise<TokenSides> {
  const { chain, item, difference } = await readSides(deps, token)
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockDifference(trx, 'token', token)
    if (!row) throw notFound('difference_not_found', 'No reconciliation found this difference')
    if (!chain || item || row.detail !== difference)
      throw conflict('work_not_lost', 'This is not a work that is on the chain and not in catalog: reconcile again')
    if (isAcknowledged(row)) return
    await recordOperatorAction(trx, { action: 'acknowledge-lost-work', subject: token, operator, reason })
    await storeAcknowledgement(trx, { kind: 'token', subject: token, operator, reason, until: null })
  })
  return compareToken(deps, token)
}
