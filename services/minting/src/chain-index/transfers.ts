import type { ChainEvent } from '../chain/log.ts'
import type { LoggedEvent } from '../chain/node.ts'

/** One change of hands. `to` is an address; `account` the custody's key; `lineId` the key of the delivery it was. */
export type Move = {
  id: bigint
  to: string
  account: string | null
  lineId: string | null
  position: number
  txHash: string
  at: Date
}

const LOGS_PER_BLOCK = 100_000

/** A number that grows along the chain. */
export const positionOf = ({ block, logIndex }: LoggedEvent) => block * LOGS_PER_BLOCK + logIndex

/**
 * Reads logs, in their order, as changes of hands. A custody's entry names the account of the transfer just before it,
 * a delivery the line of the transfer just after it; an entry without a transfer is a change of its own.
 */
export function movesOf(logs: LoggedEvent[], { delivery }: { delivery: string }): Move[] {
  const moves: Move[] = []
  const lines = new Map<string, string>()
  for (const log of logs) {
    const { event, txHash, at } = log
    const place = { position: positionOf(log), txHash, at }
    if (event.name === 'delivered') lines.set(keyIn(log, event), event.lineId)
    if (event.name === 'transfer') {
      const key = keyIn(log, event)
      moves.push({ ...place, id: event.id, to: event.to, account: null, lineId: lines.get(key) ?? null })
      lines.delete(key)
    }
    if (event.name === 'custody-in') {
      const before = moves.findLast((move) => move.id === event.id && move.txHash === txHash)
      if (before && before.to === delivery && before.account === null) before.account = event.account
      else moves.push({ ...place, id: event.id, to: delivery, account: event.account, lineId: null })
    }
    if (event.name === 'beneficiary-changed')
      moves.push({ ...place, id: event.id, to: delivery, account: event.account, lineId: event.lineId })
  }
  return moves
}

const keyIn = ({ txHash }: LoggedEvent, event: ChainEvent & { id: bigint }) => `${txHash} ${event.id}`
