/** A fault of API responses. It applies `times` times, each time with the probability `chance`. */
export type RequestFault = {
  /** Method and path, e.g. `GET /v1/charges/*`: `*` matches one segment, or alone every request. */
  request: string
  mode: 'timeout_before' | 'timeout_after' | 'error_before' | 'error_after' | 'rate_limit' | 'slow'
  times: number
  chance: number
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
  /** For `delay` on the sandbox's clock; for `reorder` the real time until incomplete windows are sent. */
  delayMs: number
  /** Simultaneous deliveries for `repeat`. */
  copies: number
  /** Number of events that `reorder` reverses. */
  window: number
}

export type Fault = RequestFault | WebhookFault

export type Faults = {
  add: (fault: Fault) => void
  all: () => Fault[]
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
  let faults: Fault[] = []
  const listeners: (() => void)[] = []

  function consume<F extends Fault>(fault: F | undefined): F | undefined {
    if (!fault || Math.random() >= fault.chance) return undefined
    fault.times -= 1
    if (fault.times <= 0) faults = faults.filter((other) => other !== fault)
    return fault
  }

  return {
    add: (fault) => {
      faults.push({ ...fault })
    },
    all: () => faults,
    clear: () => {
      faults = []
      for (const listener of listeners) listener()
    },
    ofRequest: (method, path) =>
      consume(
        faults.find((fault) => 'request' in fault && matches(fault.request, method, path)) as RequestFault | undefined,
      ),
    ofEvent: (type) =>
      consume(
        faults.find((fault) => 'webhook' in fault && ['*', type].includes(fault.webhook)) as WebhookFault | undefined,
      ),
    onClear: (listener) => listeners.push(listener),
  }
}
