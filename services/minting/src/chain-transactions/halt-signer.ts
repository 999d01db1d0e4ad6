import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { ChainContext } from './chain-context.ts'
import { lockSigner, type SignerRow, setHalted } from './signer.store.ts'

/**
 * Another process signs with the same key, or the database is older than the chain. The signer stops until an operator
 * resumes it; others go on. The reason is checked again under the signer's lock: an operator may have resumed it since.
 */
export async function haltSigner(
  { db, log }: ChainContext,
  address: string,
  {
    reason,
    stillHolds,
  }: { reason: string; stillHolds: (trx: Transaction<Database>, row: SignerRow) => Promise<boolean> },
) {
  const halted = await db.transaction().execute(async (trx) => {
    const row = await lockSigner(trx, address)
    return row !== undefined && (await stillHolds(trx, row)) && (await setHalted(trx, address, reason))
  })
  if (halted)
    log.error({ alarm: 'signer_halted', signer: address, reason }, 'signer halted until an operator resumes it')
}
