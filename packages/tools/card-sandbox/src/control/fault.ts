import { createRandom } from './random.ts'

/** A fault of API responses. It applies `times` times, each time with the probability `chance`. */
export type RequestFault = {
  /** Method and path, e.g. `GET /v1/charges/*`: `*` matches one segment, or alone every request. */
  request: string
  mode: 'timeout_before' | 'timeout_after' | 'error_before' | 'error_after' | 'rate_limit' | 'forbidden' | 'slow'
  times: number
  chance: number
  /** Makes the times at which it applies the same in every run. */
  seed?: number
  /** Real milliseconds: until a timed-out connection is closed, or until a slow request continues. */
  delayMs: number
  /** Whether the 500 is stored and replayed under the idempotency key. */
  stored: boolean
}

export type WebhookFault = {
  /** An event type, or `*`. */
  webhook: string
  mode: 'lose' | 'repeat' | 'delay' | 'reorder' | 'stale' | 'forge'
  times: number
  chance: number
  seed?: number
  /** For `delay` on the sandbox's clock; for `reorder` the real time until incomplete windows are sent. */
  delayMs: number
  /** Simultaneous deliveries for `repeat`. */
  copies: number
  /** Number of events that `reorder` reverses. */
  window: number
}

export type Fault = RequestFault | WebhookFault

/** A fault that applied to a request (`POST /v1/refunds`) or to an event (its type). */
export type AppliedFault = { at: string; subject: string; mode: Fault['mode'] }

const APPLIED_KEPT = 10_000

export type Faults = {
  add: (fault: Fault) => void
  all: () => Fault[]
  /** The newest ones, oldest first. */
  applied: AppliedFault[]
  clear: () => void
  /** The fault that applies to this request; counts as one of its `times`. */
  ofRequest: (method: string, path: string) => RequestFault | undefined
  ofEvent: (type: string) => WebhookFault | undefined
  onClear: (listener: () => void) => void
}

/** Whether a pattern such as `GET /v1/charges/*` matches a request. */
export function matches(pattern: string, method: string, path: string): boolean {
  if (pattern === '*') return true
  const [wantedMethod, wantedPath = ''] = pattern.split(' ')
  if (wantedMethod !== '*' && wantedMethod !== method) return false
  const [wanted, segments] = [wantedPath.split('/'), path.split('/')]
  return (
    wanted.length === segments.length &&
    wanted.every((segment, index) => segment === '*' || segment === segments[index])
  )
}

export function createFaults(): Faults {
  let faults: { fault: Fault; random: () => number }[] = []
  const applied: AppliedFault[] = []
  const listeners: (() => void)[] = []

  /** The first of the matching faults whose chance applies it. */
  function consume<F extends Fault>(subject: string, matching: (fault: Fault) => boolean): F | undefined {
    const found = faults.find(({ fault, random }) => matching(fault) && random() < fault.chance)
    if (!found) return undefined
    const { fault } = found
    fault.times -= 1
    if (fault.times <= 0) faults = faults.filter((other) => other !== found)
    applied.push({ at: new Date().toISOString(), subject, mode: fault.mode })
    if (applied.length > APPLIED_KEPT) applied.shift()
    return fault as F
  }

  return {
    add: (fault) => {
      faults.push({ fault: { ...fault }, random: fault.seed === undefined ? Math.random : createRandom(fault.seed) })
    },
    all: () => faults.map(({ fault }) => fault),
    applied,
    clear: () => {
      faults = []
      for (const listener of listeners) listener()
    },
    ofRequest: (method, path) =>
      consume(`${method} ${path}`, (fault) => 'request' in fault && matches(fault.request, method, path)),
    ofEvent: (type) => consume(type, (fault) => 'webhook' in fault && ['*', type].includes(fault.webhook)),
    onClear: (listener) => listeners.push(listener),
  }
}
