import type { Message } from './message.ts'

/*
 * Terms. Publish: store a message in a topic. Consumer group: the replicas of one service; each group receives every
 * message of its topics. Consume: pass a message to the group's handler. Redelivery: a message is consumed again,
 * because its handling was not acknowledged. Lag: messages that a group has not handled yet. Retry queue: a table of
 * the service, with the messages whose handler threw; it is not part of the transport.
 */

export type Subscriber = {
  /** Members of one group share the messages; each group receives all of them. */
  group: string
  topics: string[]
  /** Throws only when the message could not be stored: the transport redelivers it. */
  handle: (message: Message) => Promise<void>
}

/** Carries events between services: in order per key, at least once, and no group blocks another. */
export type Transport = {
  /** Resolves once the messages are durable. */
  publish: (messages: Message[]) => Promise<void>
  /** Starts at the group's committed position; a new group starts at the first stored message. */
  subscribe: (subscriber: Subscriber) => Promise<{ stop: () => Promise<void> }>
  stop: () => Promise<void>
}

/** Messages of a topic that a group has not handled, and the age of the oldest in seconds (0 without any). */
export type Lag = { group: string; topic: string; messages: number; oldestSeconds: number }

/** A transport that reports the lag of the groups that it serves in this process. */
export type MeasuredTransport = Transport & { lag: () => Promise<Lag[]> }
