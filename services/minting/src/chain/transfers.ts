import type { ChainEvent } from '@nifty/contracts/log'
import type { LoggedEvent } from './node.ts'

/** A change of holder or beneficiary. `to` is an address; `account` and `lineId` are bytes32 keys. */
export type Transfer = {
  id: bigint
  to: string
  account: string | null
  lineId: string | null
  position: number
  txHash: string
  at: Date
}

const LOGS_PER_BLOCK = 100_000

/** Increases along the chain: orders logs of different blocks. */
const positionOf = ({ block, logIndex }: LoggedEvent) => block * LOGS_PER_BLOCK + logIndex

/**
 * Combines the logs, in chain order, into transfers. `CustodyIn` follows the transfer whose account it names;
 * `Delivered` precedes the transfer of its line, or its change of beneficiary inside custody. A `CustodyIn` without a
 * transfer is one of its own.
 */
export function transfersOf(logs: LoggedEvent[], { delivery }: { delivery: string }): Transfer[] {
  const transfers: Transfer[] = []
  const lines = new Map<string, string>()
  for (const log of logs) {
    const { event, txHash, at } = log
    const place = { position: positionOf(log), txHash, at }
    if (event.name === 'delivered') lines.set(transferKey(log, event), event.lineId)
    if (event.name === 'transfer') {
      const key = transferKey(log, event)
      transfers.push({ ...place, id: event.id, to: event.to, account: null, lineId: lines.get(key) ?? null })
      lines.delete(key)
    }
    if (event.name === 'custody-in') {
      const before = transfers.findLast((transfer) => transfer.id === event.id && transfer.txHash === txHash)
      if (before && before.to === delivery && before.account === null) before.account = event.account
      else transfers.push({ ...place, id: event.id, to: delivery, account: event.account, lineId: null })
    }
    if (event.name === 'beneficiary-changed') {
      transfers.push({ ...place, id: event.id, to: delivery, account: event.account, lineId: event.lineId })
      lines.delete(transferKey(log, event))
    }
  }
  return transfers
}

const transferKey = ({ txHash }: LoggedEvent, event: ChainEvent & { id: bigint }) => `${txHash} ${event.id}`
