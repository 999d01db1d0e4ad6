/** A disturbance of the API's answers. `times` counts down; `chance` is for campaigns. */
export type RequestFault = {
  /** Method and path, `*` for any step or alone for every request: `GET /v1/charges/*`. */
  request: string
  mode: 'timeout_before' | 'timeout_after' | 'error_before' | 'error_after' | 'rate_limit' | 'slow'
  times: number
  chance: number
  /** Real milliseconds: how long a timeout keeps the connection, or how slow it is. */
  delayMs: number
  /** Whether a 500 is the answer that its idempotency key repeats. */
  stored: boolean
}

export type WebhookFault = {
  /** An event type, or `*`. */
  webhook: string
  mode: 'lose' | 'repeat' | 'delay' | 'reorder' | 'stale' | 'forge'
  times: number
  chance: number
  /** Delay in the processor's time; how long a reorder waits for its companions. */
  delayMs: number
  /** Deliveries at once for `repeat`. */
  copies: number
  /** Events that a `reorder` turns round. */
  window: number
}

export type Fault = RequestFault | WebhookFault

export type Faults = {
  add: (fault: Fault) => void
  all: () => Fault[]
  clear: () => void
  /** The disturbance of this request, used up by asking. */
  ofRequest: (method: string, path: string) => RequestFault | undefined
  ofEvent: (type: string) => WebhookFault | undefined
  onClear: (listener: () => void) => void
}

/** Whether a pattern such as `GET /v1/charges/*` means this request. */
export function matches(pattern: string, method: string, path: string): boolean {
  if (pattern === '*') return true
  const [wantedMethod, wantedPath = ''] = pattern.split(' ')
  if (wantedMethod !== '*' && wantedMethod !== method) return false
  const [wanted, steps] = [wantedPath.split('/'), path.split('/')]
  return wanted.length === steps.length && wanted.every((step, index) => step === '*' || step === steps[index])
}

export function createFaults(): Faults {
  let faults: Fault[] = []
  const listeners: (() => void)[] = []

  function use<F extends Fault>(fault: F | undefined): F | undefined {
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
      use(
        faults.find((fault) => 'request' in fault && matches(fault.request, method, path)) as RequestFault | undefined,
      ),
    ofEvent: (type) =>
      use(
        faults.find((fault) => 'webhook' in fault && ['*', type].includes(fault.webhook)) as WebhookFault | undefined,
      ),
    onClear: (listener) => listeners.push(listener),
  }
}
