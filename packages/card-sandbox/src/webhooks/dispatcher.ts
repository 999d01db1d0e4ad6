import type Stripe from 'stripe'
import type { Faults, WebhookFault } from '../control/fault.ts'
import type { Log } from '../log.ts'
import type { Books } from '../store/store.ts'
import { type Delivery, pauseAfter, type Try } from './delivery.ts'
import type { EndpointHolder } from './endpoint.ts'
import { isAccepted, send } from './sender.ts'

const tickMs = 100
const remembered = 2000
const apartMs = 150

export type Dispatcher = {
  tries: Try[]
  /** Looks for what is due now. */
  poke: () => void
  stop: () => void
}

type Deps = { books: Books; endpoint: EndpointHolder; faults: Faults; log: Log }

/** Delivers every event until it is accepted, those of an earlier run too. */
export function startDispatcher({ books, endpoint, faults, log }: Deps): Dispatcher {
  const pending = new Map<string, Delivery>()
  const tries: Try[] = []
  const stopping = new AbortController()
  let turning: { fault: WebhookFault; events: Stripe.Event[]; until: number } | undefined

  const expect = ({ id, type }: Stripe.Event, more: Partial<Delivery> = {}) =>
    pending.set(id, { event: id, type, attempts: 0, dueMs: books.clock.nowMs(), isBusy: false, ...more })

  function receive(event: Stripe.Event) {
    const fault = faults.ofEvent(event.type)
    if (turning) return collect(event)
    if (!fault) return expect(event)
    if (fault.mode === 'lose') return books.record({ delivery: { event: event.id, outcome: 'lost' } })
    if (fault.mode === 'delay') return expect(event, { dueMs: books.clock.nowMs() + fault.delayMs })
    if (fault.mode !== 'reorder') return expect(event, { fault })
    turning = { fault, events: [], until: Date.now() + fault.delayMs }
    collect(event)
  }

  function collect(event: Stripe.Event) {
    turning!.events.push(event)
    if (turning!.events.length >= turning!.fault.window) release()
  }

  /** Lets collected events go, the last one first and one after the other. */
  function release() {
    const events = turning?.events ?? []
    turning = undefined
    for (const [index, event] of events.reverse().entries()) {
      expect(event, { dueMs: books.clock.nowMs() + index * apartMs })
    }
  }

  async function attempt(delivery: Delivery) {
    const event = books.find('event', delivery.event)!
    const { fault } = delivery
    delivery.isBusy = true
    delivery.fault = undefined
    delivery.attempts += 1
    const body = JSON.stringify(event, null, 2)
    const copies = fault?.mode === 'repeat' ? fault.copies : 1
    const sending = { body, endpoint: endpoint.current(), mode: fault?.mode, signal: stopping.signal }
    const statuses = await Promise.all(Array.from({ length: copies }, () => send(sending)))
    if (stopping.signal.aborted) return
    for (const status of statuses) remember(delivery, status)
    finish(delivery, statuses)
  }

  function remember({ event, type, attempts: attempt }: Delivery, status: number | string) {
    tries.push({ event, type, at: new Date().toISOString(), attempt, status })
    if (tries.length > remembered) tries.shift()
    if (!isAccepted(status)) log.warn({ event, type, attempt, status }, 'webhook not accepted')
  }

  function finish(delivery: Delivery, statuses: (number | string)[]) {
    delivery.isBusy = false
    const pause = pauseAfter(delivery.attempts)
    if (!statuses.some(isAccepted) && pause !== undefined) {
      delivery.dueMs = books.clock.nowMs() + pause
      return
    }
    pending.delete(delivery.event)
    const outcome = statuses.some(isAccepted) ? 'delivered' : 'given_up'
    books.record({ delivery: { event: delivery.event, outcome } })
  }

  function poke() {
    if (turning && Date.now() >= turning.until) release()
    if (!endpoint.current().url) return
    const now = books.clock.nowMs()
    for (const delivery of pending.values()) {
      if (!delivery.isBusy && delivery.dueMs <= now) void attempt(delivery)
    }
  }

  for (const event of books.undelivered()) expect(event)
  books.onEvents((events) => {
    for (const event of events) receive(event)
    setImmediate(() => {
      if (!stopping.signal.aborted) poke()
    })
  })
  faults.onClear(release)
  const timer = setInterval(poke, tickMs)

  return {
    tries,
    poke,
    stop: () => {
      clearInterval(timer)
      stopping.abort()
    },
  }
}
