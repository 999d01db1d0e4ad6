import { tokenOf } from '@nifty/events/shapes'
import type { Log } from '@nifty/service-kit/logs'
import type { Transaction } from 'kysely'
import { uuidOf } from '../chain/keys.ts'
import type { ChainEvent, Contracts } from '../chain/log.ts'
import type { LoggedEvent } from '../chain/node.ts'
import type { Database } from '../db.ts'
import { failDelivery, finishDelivery } from '../deliveries/delivery.actions.ts'
import { lockDelivery } from '../deliveries/delivery.store.ts'
import type { KnownDelivery } from '../deliveries/delivery.ts'
import { failMint, finishMint } from '../mints/mint.actions.ts'
import { removePermit } from '../permits/permit.store.ts'
import { moveToken } from './owner.actions.ts'
import { movesOf } from './transfers.ts'

type Named<Name extends ChainEvent['name']> = Extract<ChainEvent, { name: Name }>

/**
 * What final logs mean for the store. Safe to repeat. The order is the one that others rely on: a token is announced
 * as minted before it moves, and has moved before its delivery is final.
 */
export async function applyLogs(trx: Transaction<Database>, logs: LoggedEvent[], contracts: Contracts, log: Log) {
  for (const entry of logs)
    if (entry.event.name === 'minted') await finishMint(trx, entry.event, entry, contracts)
    else if (entry.event.name === 'mint-refused') await failMint(trx, entry.event.mintId, entry.event.reason.text)
    else if (entry.event.name === 'permits-voided')
      await removePermit(trx, tokenOf(contracts.collection, String(entry.event.id)))
  for (const move of movesOf(logs, contracts)) await moveToken(trx, move, contracts)
  for (const entry of logs)
    if (entry.event.name === 'delivered') await finishLine(trx, entry.event, entry, log)
    else if (entry.event.name === 'refused') await refuseLine(trx, entry.event, entry)
}

async function finishLine(trx: Transaction<Database>, event: Named<'delivered'>, entry: LoggedEvent, log: Log) {
  const delivery = await lockLine(trx, event.lineId)
  if (!delivery) return noteStray(trx, event, entry, log)
  if (delivery.state === 'final') return
  const { lineId, state, token, wallet } = delivery
  const isRight = token === tokenOf(event.token, String(event.id)) && wallet === event.to.toLowerCase()
  if (isRight && (state === 'waiting' || state === 'signed')) return finishDelivery(trx, delivery, entry)
  log.error({ alarm: 'unexpected_delivery', lineId, state }, 'the chain delivered what the store did not ask for')
}

/** Delivered, and this database never asked for it. `pnpm ops reconcile` names it to a person. */
async function noteStray(
  trx: Transaction<Database>,
  { lineId: lineKey, token, id, to }: Named<'delivered'>,
  { txHash, block, at }: LoggedEvent,
  log: Log,
) {
  const stray = { lineKey, token: tokenOf(token, String(id)), recipient: to, txHash, block, at }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('strayDelivery')
    .values(stray)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows)
    log.error({ alarm: 'unexpected_delivery', ...stray }, 'the chain delivered a line that is unknown here')
}

/** Only the line's own transaction can refuse it. */
async function refuseLine(trx: Transaction<Database>, { lineId, reason }: Named<'refused'>, { txHash }: LoggedEvent) {
  const delivery = await lockLine(trx, lineId)
  if (delivery?.state !== 'signed') return
  const own = await trx.selectFrom('attempt').select('transactionId').where('hash', '=', txHash).executeTakeFirst()
  if (own?.transactionId !== delivery.transactionId) return
  await failDelivery(trx, delivery, { reason: 'refused', note: reason.text })
}

async function lockLine(trx: Transaction<Database>, key: string) {
  const lineId = uuidOf(key)
  return lineId ? ((await lockDelivery(trx, lineId)) as KnownDelivery | undefined) : undefined
}
