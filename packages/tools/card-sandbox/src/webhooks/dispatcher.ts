import type Stripe from 'stripe'
import { inMode } from '../api/mode.ts'
import type { Faults, WebhookFault } from '../control/fault.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { type Attempt, type Delivery, retryDelayAfter } from './delivery.ts'
import type { WebhookEndpoint } from './endpoint.ts'
import { isAccepted, send } from './sender.ts'

const POLL_INTERVAL_MS = 100
const ATTEMPTS_KEPT = 2000
/** Between events that a `reorder` fault sends in reverse. */
const REORDER_GAP_MS = 150

export type Dispatcher = {
  /** The newest ones, oldest first. */
  attempts: Attempt[]
  /** Starts all deliveries that are due now. */
  deliverDue: () => void
  stop: () => void
}

type Deps = { store: Store; endpoint: WebhookEndpoint; faults: Faults; log: Log; livemode: boolean }

/** Delivers every event until it is accepted, also those of an earlier run. */
export function startDispatcher({ store, endpoint, faults, log, livemode }: Deps): Dispatcher {
  const pending = new Map<string, Delivery>()
  const attempts: Attempt[] = []
  const stopping = new AbortController()
  let reordering: { fault: WebhookFault; events: Stripe.Event[]; until: number } | undefined

  const schedule = ({ id, type }: Stripe.Event, options: Partial<Delivery> = {}) =>
    pending.set(id, { event: id, type, attempts: 0, dueMs: store.clock.nowMs(), isInProgress: false, ...options })

  function onEvent(event: Stripe.Event) {
    const fault = faults.ofEvent(event.type)
    if (reordering) return collect(event)
    if (!fault) return schedule(event)
    if (fault.mode === 'lose') return store.record({ delivery: { event: event.id, outcome: 'lost' } })
    if (fault.mode === 'delay') return schedule(event, { dueMs: store.clock.nowMs() + fault.delayMs })
    if (fault.mode !== 'reorder') return schedule(event, { fault })
    reordering = { fault, events: [], until: Date.now() + fault.delayMs }
    collect(event)
  }

  function collect(event: Stripe.Event) {
    reordering!.events.push(event)
    if (reordering!.events.length >= reordering!.fault.window) flushReordered()
  }

  /** Schedules the collected events in reverse order. */
  function flushReordered() {
    const events = reordering?.events ?? []
    reordering = undefined
    for (const [index, event] of events.reverse().entries()) {
      schedule(event, { dueMs: store.clock.nowMs() + index * REORDER_GAP_MS })
    }
  }

  async function attempt(delivery: Delivery) {
    const event = store.find('event', delivery.event)!
    const { fault } = delivery
    delivery.isInProgress = true
    delivery.fault = undefined
    delivery.attempts += 1
    const body = inMode(event, livemode, 2)
    const copies = fault?.mode === 'repeat' ? fault.copies : 1
    const request = { body, endpoint: endpoint.current(), mode: fault?.mode, signal: stopping.signal }
    const statuses = await Promise.all(Array.from({ length: copies }, () => send(request)))
    if (stopping.signal.aborted) return
    for (const status of statuses) addAttempt(delivery, status)
    finish(delivery, statuses)
  }

  function addAttempt({ event, type, attempts: attempt }: Delivery, status: number | string) {
    attempts.push({ event, type, at: new Date().toISOString(), attempt, status })
    if (attempts.length > ATTEMPTS_KEPT) attempts.shift()
    if (!isAccepted(status)) log.warn({ event, type, attempt, status }, 'webhook not accepted, retrying later')
  }

  function finish(delivery: Delivery, statuses: (number | string)[]) {
    delivery.isInProgress = false
    const delay = retryDelayAfter(delivery.attempts)
    if (!statuses.some(isAccepted) && delay !== undefined) {
      delivery.dueMs = store.clock.nowMs() + delay
      return
    }
    pending.delete(delivery.event)
    const outcome = statuses.some(isAccepted) ? 'delivered' : 'failed'
    store.record({ delivery: { event: delivery.event, outcome } })
  }

  function deliverDue() {
    if (reordering && Date.now() >= reordering.until) flushReordered()
    if (!endpoint.current().url) return
    const now = store.clock.nowMs()
    for (const delivery of pending.values()) {
      if (!delivery.isInProgress && delivery.dueMs <= now) void attempt(delivery)
    }
  }

  for (const event of store.undelivered()) schedule(event)
  store.onEvents((events) => {
    for (const event of events) onEvent(event)
    setImmediate(() => {
      if (!stopping.signal.aborted) deliverDue()
    })
  })
  faults.onClear(flushReordered)
  const timer = setInterval(deliverDue, POLL_INTERVAL_MS)

  return {
    attempts,
    deliverDue,
    stop: () => {
      clearInterval(timer)
      stopping.abort()
    },
  }
}
