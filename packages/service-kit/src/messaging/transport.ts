/** One event on its way. `key` keeps related messages in order; `id` is the same however often it is sent. */
export type Message = {
  id: string
  name: string
  topic: string
  key: string
  data: unknown
  correlationId: string | null
  /** The trace that it goes on in; absent where nothing is traced. */
  traceparent?: string | null
}

export type Subscriber = {
  /** Members of one group share the work; each group hears everything. */
  group: string
  topics: string[]
  /** A throw means that nothing could be stored: the transport waits and sends the message again. */
  handle: (message: Message) => Promise<void>
}

/** Carries events between services: in order per key, at least once, and no group waits for another. */
export type Transport = {
  /** Resolves once the messages cannot be lost any more. */
  publish: (messages: Message[]) => Promise<void>
  /** Hears everything from the group's last message on; a new group from the first message ever. */
  subscribe: (subscriber: Subscriber) => Promise<{ stop: () => Promise<void> }>
  stop: () => Promise<void>
}

/** How many messages of a topic a group has not dealt with yet, and the age of the oldest; 0 when there is none. */
export type Lag = { group: string; topic: string; messages: number; oldestSeconds: number }

/** A transport that can also say how far the groups are that it serves in this process. */
export type MeasuredTransport = Transport & { lag: () => Promise<Lag[]> }
