import { uuidOf } from '@nifty/contracts/keys'
import type { ChainEvent, Contracts } from '@nifty/contracts/log'
import { tokenOf } from '@nifty/events/shapes'
import type { Log } from '@nifty/service-kit/base/logs'
import type { Transaction } from 'kysely'
import type { LoggedEvent } from '../chain/node.ts'
import { type Transfer, transfersOf } from '../chain/transfers.ts'
import type { Database } from '../db.ts'
import { failDelivery, finishDelivery } from '../deliveries/delivery.actions.ts'
import { lockDeliveries, lockDelivery } from '../deliveries/delivery.store.ts'
import { isFinishable, isStopped, type KnownDelivery } from '../deliveries/delivery.ts'
import { failMint, finishMint } from '../mints/mint.actions.ts'
import { lockMints } from '../mints/mint.store.ts'
import { removePermit } from '../permits/permit.store.ts'
import { attributeToken, isDeliveredTo, recoverCustodyOf, transferToken } from './owner.actions.ts'
import { forgetUnexpected, recordUnexpected } from './unexpected-delivery.actions.ts'

type Named<Name extends ChainEvent['name']> = Extract<ChainEvent, { name: Name }>

/**
 * Applies logs of final blocks and publishes their events. Idempotent. Consumers rely on the order: `token-minted`
 * before `token-moved`, and `token-moved` before `delivery-final`.
 */
export async function applyLogs(trx: Transaction<Database>, logs: LoggedEvent[], contracts: Contracts, log: Log) {
  await lockNamed(trx, logs)
  for (const entry of logs)
    if (entry.event.name === 'minted') await finishMint(trx, entry.event, entry, contracts, log)
    else if (entry.event.name === 'mint-refused') await failMint(trx, entry.event.mintId, entry.event.reason.text)
    else if (entry.event.name === 'permits-voided')
      await removePermit(trx, tokenOf(contracts.collection, String(entry.event.id)))
  const transfers = transfersOf(logs, contracts)
  for (const transfer of transfers) await transferToken(trx, transfer, contracts)
  const delivered = new Set(logs.flatMap(({ event }) => (event.name === 'delivered' ? event.lineId : [])))
  for (const entry of logs)
    if (entry.event.name === 'delivered')
      await finishLine(trx, { event: entry.event, entry, account: accountOf(entry.event, transfers) }, contracts, log)
    else if (entry.event.name === 'beneficiary-changed' && !delivered.has(entry.event.lineId))
      await finishLine(trx, giftOf(entry.event, entry, contracts), contracts, log)
    else if (entry.event.name === 'refused') await refuseLine(trx, entry.event, entry)
}

/** Locks the mints and deliveries of the logs by their ids; below they are read in the sequence of the logs. */
async function lockNamed(trx: Transaction<Database>, logs: LoggedEvent[]) {
  const ids = (key: 'mintId' | 'lineId') =>
    logs.flatMap(({ event }) => (key in event ? (uuidOf((event as Record<string, unknown>)[key] as string) ?? []) : []))
  await lockMints(trx, ids('mintId'))
  await lockDeliveries(trx, ids('lineId'))
}

/** The custody account of a delivery, as a key; null of one to a wallet. */
const accountOf = ({ lineId }: Named<'delivered'>, transfers: Transfer[]) =>
  transfers.find((transfer) => transfer.lineId === lineId)?.account ?? null

type DeliveredLine = {
  event: Pick<Named<'delivered'>, 'lineId' | 'token' | 'id' | 'to'>
  entry: LoggedEvent
  account: string | null
}

/** A sale inside custody logs `Delivered` as well, a gift only the change of beneficiary. */
const giftOf = (
  event: Named<'beneficiary-changed'>,
  entry: LoggedEvent,
  { delivery: to }: Contracts,
): DeliveredLine => ({
  event: { ...event, to },
  entry,
  account: event.account,
})

async function finishLine(
  trx: Transaction<Database>,
  { event, entry, account }: DeliveredLine,
  { collection }: Contracts,
  log: Log,
) {
  const delivery = await lockLine(trx, event.lineId)
  const delivered = { token: tokenOf(event.token, String(event.id)), recipient: event.to, account }
  if (!delivery) return recordUnexpected(trx, { lineKey: event.lineId, ...delivered }, entry, log)
  if (delivery.state === 'final') return
  const { lineId, state } = delivery
  const isExpected = isDeliveredTo(await recoverCustodyOf(trx, delivery, { key: account, collection }), delivered)
  if (isExpected && isFinishable(delivery)) {
    await attributeToken(trx, delivery, entry.txHash)
    await forgetUnexpected(trx, event.lineId)
    return finishDelivery(trx, delivery, { ...entry, recipient: event.to })
  }
  if (isStopped(state)) return recordUnexpected(trx, { lineKey: event.lineId, ...delivered }, entry, log)
  log.error(
    { alarm: 'unexpected_delivery', lineId, state },
    'the chain delivered a line to another recipient than stored, see pnpm ops reconcile',
  )
}

/** Only a refusal in the line's own transaction counts. */
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
