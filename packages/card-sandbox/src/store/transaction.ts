import type Stripe from 'stripe'
import { missingObject } from '../api/api-error.ts'
import type { StoredAnswer } from '../api/idempotency.ts'
import type { Clock } from './clock.ts'
import { newId } from './id.ts'
import type { Fact, Kind, Thing, Things } from './object.ts'
import type { Cause, Reader } from './store.ts'

export const apiVersion = '2026-10-28.endive'

type Announced = Exclude<Thing, Stripe.Event | { object: `sandbox.${string}` }>

/** The books as one piece of work sees them: its own changes on top of what is written. */
export type Draft = Pick<Reader, 'find'> & {
  /** Seconds. */
  now: number
  /** Finds an object, or refuses with 404 naming the parameter that asked for it. */
  need: <K extends Kind>(kind: K, id: string, param?: string) => Things[K]
  /** Saves an object and returns it. */
  put: <T extends Thing>(thing: T) => T
  note: (fact: Fact) => void
  /** Creates the event that tells of an object as it is now. `previous` only for updates. */
  emit: (type: Stripe.Event['type'], object: Announced, previous?: object) => void
  /** Stores the answer of this work under its idempotency key. */
  keep: (answer: StoredAnswer) => void
}

export type DraftWork = { reader: Reader; clock: Clock; cause: Cause }

/** Opens a draft; `step` tells what it has come to. */
export function openDraft({ reader, clock, cause }: DraftWork) {
  const puts = new Map<string, Thing>()
  const facts: Fact[] = []
  let kept: StoredAnswer | undefined
  const now = clock.seconds()

  const find = <K extends Kind>(kind: K, id: string) =>
    (puts.get(`${kind} ${id}`) as Things[K] | undefined) ?? reader.find(kind, id)

  const put = <T extends Thing>(thing: T) => {
    puts.set(`${thing.object} ${thing.id}`, thing)
    return thing
  }

  const draft: Draft = {
    now,
    find,
    need: (kind, id, param = 'id') => {
      const found = find(kind, id)
      if (!found) throw missingObject(kind, id, param)
      return found
    },
    put,
    note: (fact) => facts.push(fact),
    emit: (type, object, previous) =>
      put({
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
    keep: (answer) => {
      kept = answer
    },
  }
  return { draft, step: () => ({ puts: [...puts.values()], facts, answer: kept }) }
}
