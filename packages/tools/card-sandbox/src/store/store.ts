import type Stripe from 'stripe'
import type { StoredResponse } from '../api/idempotency.ts'
import type { Clock } from './clock.ts'
import type { Ledger, LedgerChange, LedgerRecord } from './ledger.ts'
import {
  dueTime,
  type LedgerEntry,
  type ObjectByType,
  type ObjectType,
  objectTypes,
  type StoredObject,
} from './object.ts'
import { type Cause, openTransaction, type Reader, type Transaction, type TransactionContext } from './transaction.ts'

export type Store = Reader & {
  clock: Clock
  /**
   * Runs `work` and writes all its changes as one ledger record, or nothing when it throws. `work` is synchronous, so
   * transactions never overlap: this serialises, for example, paying and expiring a session.
   */
  transaction: <Result>(cause: Cause, work: (tx: Transaction) => Result) => Result
  /** Writes a change outside a transaction: an advanced clock, the outcome of a webhook delivery. */
  record: (change: LedgerChange) => void
  /** Stored responses by idempotency key. */
  responses: Map<string, StoredResponse>
  entries: (LedgerEntry & { seq: number; at: string; clock: number })[]
  /** Objects with an automatic change that is due now, in the order of their due times. */
  dueObjects: () => StoredObject[]
  /** Events whose delivery is pending, oldest first. */
  undelivered: () => Stripe.Event[]
  /** Called with the events of each transaction, after they are on disk. */
  onEvents: (listener: (events: Stripe.Event[]) => void) => void
}

/** Rebuilds the state from the ledger and keeps both in step. */
export function openStore(ledger: Ledger, clock: Clock): Store {
  const objects = Object.fromEntries(objectTypes.map((type) => [type, new Map<string, StoredObject>()])) as Record<
    ObjectType,
    Map<string, StoredObject>
  >
  const scheduled = new Map<string, { stored: StoredObject; due: number }>()
  const undelivered = new Map<string, Stripe.Event>()
  const responses = new Map<string, StoredResponse>()
  const entries: Store['entries'] = []
  const listeners: ((events: Stripe.Event[]) => void)[] = []
  let seq = 0

  function save(stored: StoredObject) {
    objects[stored.object].set(stored.id, stored)
    if (stored.object === 'event') undelivered.set(stored.id, stored)
    const due = dueTime(stored)
    if (due === null) scheduled.delete(stored.id + stored.object)
    else scheduled.set(stored.id + stored.object, { stored, due })
  }

  function saveDelivery({ event: id, outcome }: NonNullable<LedgerChange['delivery']>) {
    const event = undelivered.get(id)
    undelivered.delete(id)
    if (event && outcome === 'delivered') objects.event.set(id, { ...event, pending_webhooks: 0 })
  }

  function apply(record: LedgerRecord) {
    seq = record.seq
    for (const stored of record.objects ?? []) save(stored)
    for (const entry of record.entries ?? []) entries.push({ seq, at: record.at, clock: record.clock, ...entry })
    if (record.response) responses.set(record.response.key, record.response)
    if (record.advanceMs) clock.advance(record.advanceMs)
    if (record.delivery) saveDelivery(record.delivery)
  }

  function record(change: LedgerChange) {
    const next: LedgerRecord = { seq: seq + 1, at: new Date().toISOString(), clock: clock.seconds(), ...change }
    ledger.append(next)
    apply(next)
  }

  const reader: Reader = {
    find: <T extends ObjectType>(type: T, id: string) => objects[type].get(id) as ObjectByType[T] | undefined,
    list: <T extends ObjectType>(type: T) => [...objects[type].values()].reverse() as ObjectByType[T][],
  }

  for (const existing of ledger.records) apply(existing)

  return {
    ...reader,
    clock,
    record,
    transaction: (cause, work) => runTransaction({ reader, clock, cause, record, emit }, work),
    responses,
    entries,
    dueObjects: () => {
      const now = clock.seconds()
      return [...scheduled.values()]
        .filter(({ due }) => due <= now)
        .sort((a, b) => a.due - b.due)
        .map(({ stored }) => stored)
    },
    undelivered: () => [...undelivered.values()],
    onEvents: (listener) => listeners.push(listener),
  }

  function emit(events: Stripe.Event[]) {
    for (const listener of listeners) listener(events)
  }
}

function runTransaction<Result>(
  deps: TransactionContext & { record: (change: LedgerChange) => void; emit: (events: Stripe.Event[]) => void },
  work: (tx: Transaction) => Result,
): Result {
  const { tx, changes } = openTransaction(deps)
  const result = work(tx)

  const { objects, entries, response } = changes()
  if (objects.length === 0 && entries.length === 0 && !response) return result
  deps.record({ objects, entries, response })
  deps.emit(objects.filter((stored) => stored.object === 'event'))
  return result
}
