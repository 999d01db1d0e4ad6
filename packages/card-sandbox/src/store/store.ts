import type Stripe from 'stripe'
import type { StoredAnswer } from '../api/idempotency.ts'
import type { Clock } from './clock.ts'
import type { Ledger, Line, Step } from './ledger.ts'
import { dueTime, type Fact, type Kind, kinds, type Thing, type Things } from './object.ts'
import { type Draft, type DraftWork, openDraft } from './transaction.ts'

/** Who caused a change: an API request, or nobody (the processor's own clock). */
export type Cause = { id: string | null; idempotency_key: string | null }

export const byItself: Cause = { id: null, idempotency_key: null }

export type Reader = {
  find: <K extends Kind>(kind: K, id: string) => Things[K] | undefined
  /** Newest first. */
  list: <K extends Kind>(kind: K) => Things[K][]
}

export type Books = Reader & {
  clock: Clock
  /**
   * Runs one piece of work and writes it down as a whole, or not at all when it throws. It is synchronous, so pieces of
   * work never overlap: this is the one lock that decides between paying and expiring.
   */
  commit: <Result>(cause: Cause, work: (draft: Draft) => Result) => Result
  /** Writes what is no piece of work: a moved clock, the outcome of a delivery. */
  record: (step: Step) => void
  answers: Map<string, StoredAnswer>
  facts: (Fact & { seq: number; at: string; clock: number })[]
  /** What happens by itself up to now, in the order in which it is due. */
  due: () => Thing[]
  /** Events whose delivery has neither succeeded nor been lost, oldest first. */
  undelivered: () => Stripe.Event[]
  /** Called with the events of each commit, after they are on the disk. */
  onEvents: (listener: (events: Stripe.Event[]) => void) => void
}

/** Rebuilds the processor's state from its ledger and keeps both in step. */
export function openBooks(ledger: Ledger, clock: Clock): Books {
  const things = Object.fromEntries(kinds.map((kind) => [kind, new Map<string, Thing>()])) as Record<
    Kind,
    Map<string, Thing>
  >
  const waiting = new Map<string, { thing: Thing; due: number }>()
  const open = new Map<string, Stripe.Event>()
  const answers = new Map<string, StoredAnswer>()
  const facts: Books['facts'] = []
  const listeners: ((events: Stripe.Event[]) => void)[] = []
  let seq = 0

  function put(thing: Thing) {
    things[thing.object].set(thing.id, thing)
    if (thing.object === 'event') open.set(thing.id, thing)
    const due = dueTime(thing)
    if (due === null) waiting.delete(thing.id + thing.object)
    else waiting.set(thing.id + thing.object, { thing, due })
  }

  function settleDelivery({ event: id, outcome }: NonNullable<Step['delivery']>) {
    const event = open.get(id)
    open.delete(id)
    if (event && outcome === 'delivered') things.event.set(id, { ...event, pending_webhooks: 0 })
  }

  function apply(line: Line) {
    seq = line.seq
    for (const thing of line.puts ?? []) put(thing)
    for (const fact of line.facts ?? []) facts.push({ seq, at: line.at, clock: line.clock, ...fact })
    if (line.answer) answers.set(line.answer.key, line.answer)
    if (line.advanceMs) clock.advance(line.advanceMs)
    if (line.delivery) settleDelivery(line.delivery)
  }

  function record(step: Step) {
    const line: Line = { seq: seq + 1, at: new Date().toISOString(), clock: clock.seconds(), ...step }
    ledger.append(line)
    apply(line)
  }

  const reader: Reader = {
    find: <K extends Kind>(kind: K, id: string) => things[kind].get(id) as Things[K] | undefined,
    list: <K extends Kind>(kind: K) => [...things[kind].values()].reverse() as Things[K][],
  }

  for (const line of ledger.lines) apply(line)

  return {
    ...reader,
    clock,
    record,
    commit: (cause, work) => commit({ reader, clock, cause, record, emit }, work),
    answers,
    facts,
    due: () => {
      const now = clock.seconds()
      return [...waiting.values()]
        .filter(({ due }) => due <= now)
        .sort((a, b) => a.due - b.due)
        .map(({ thing }) => thing)
    },
    undelivered: () => [...open.values()],
    onEvents: (listener) => listeners.push(listener),
  }

  function emit(events: Stripe.Event[]) {
    for (const listener of listeners) listener(events)
  }
}

function commit<Result>(
  deps: DraftWork & { record: (step: Step) => void; emit: (events: Stripe.Event[]) => void },
  work: (draft: Draft) => Result,
): Result {
  const { draft, step } = openDraft(deps)
  const result = work(draft)

  const { puts, facts, answer } = step()
  if (puts.length === 0 && facts.length === 0 && !answer) return result
  deps.record({ puts, facts, answer })
  deps.emit(puts.filter((thing) => thing.object === 'event'))
  return result
}
