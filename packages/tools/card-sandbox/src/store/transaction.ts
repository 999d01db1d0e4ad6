import type Stripe from 'stripe'
import type { StoredResponse } from '../api/idempotency.ts'
import { missingObject } from '../errors/api-error.ts'
import type { Clock } from './clock.ts'
import { newId } from './id.ts'
import type { LedgerEntry, ObjectByType, ObjectType, StoredObject } from './object.ts'

export const apiVersion = '2026-10-28.endive'

type EventObject = Exclude<StoredObject, Stripe.Event | { object: `sandbox.${string}` }>

/** What caused a change, as events show it in `request`: an API request, or nothing (`automatic`). */
export type Cause = { id: string | null; idempotency_key: string | null }

export const automatic: Cause = { id: null, idempotency_key: null }

export type Reader = {
  find: <T extends ObjectType>(type: T, id: string) => ObjectByType[T] | undefined
  /** Newest first. */
  list: <T extends ObjectType>(type: T) => ObjectByType[T][]
}

/** Reads and writes of one transaction. Reads include its own uncommitted writes. */
export type Transaction = Pick<Reader, 'find'> & {
  /** Newest first, as they were before the transaction. */
  list: Reader['list']
  /** Seconds. */
  now: number
  /** Returns an object, or throws 404 with the name of the request parameter that has the id. */
  get: <T extends ObjectType>(type: T, id: string, param?: string) => ObjectByType[T]
  /** Saves an object and returns it. */
  save: <T extends StoredObject>(stored: T) => T
  addEntry: (entry: LedgerEntry) => void
  /** Creates an event with the object as it is now. `previous`: the changed fields' old values, for updates only. */
  emit: (type: Stripe.Event['type'], object: EventObject, previous?: object) => void
  /** Stores the response of this transaction under its idempotency key. */
  saveResponse: (response: StoredResponse) => void
}

export type TransactionContext = { reader: Reader; clock: Clock; cause: Cause }

/** Opens a transaction. `changes` returns what it has written so far. */
export function openTransaction({ reader, clock, cause }: TransactionContext) {
  const objects = new Map<string, StoredObject>()
  const entries: LedgerEntry[] = []
  let response: StoredResponse | undefined
  const now = clock.seconds()

  const find = <T extends ObjectType>(type: T, id: string) =>
    (objects.get(`${type} ${id}`) as ObjectByType[T] | undefined) ?? reader.find(type, id)

  const save = <T extends StoredObject>(stored: T) => {
    objects.set(`${stored.object} ${stored.id}`, stored)
    return stored
  }

  const tx: Transaction = {
    now,
    find,
    list: reader.list,
    get: (type, id, param = 'id') => {
      const found = find(type, id)
      if (!found) throw missingObject(type, id, param)
      return found
    },
    save,
    addEntry: (entry) => entries.push(entry),
    emit: (type, object, previous) =>
      save({
        id: newId('evt'),
        object: 'event',
        api_version: apiVersion,
        created: now,
        data: { object, ...(previous ? { previous_attributes: previous } : {}) },
        livemode: false,
        pending_webhooks: 1,
        request: cause,
        type,
      } as unknown as Stripe.Event),
    saveResponse: (stored) => {
      response = stored
    },
  }
  return { tx, changes: () => ({ objects: [...objects.values()], entries, response }) }
}
