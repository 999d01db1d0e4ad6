import type { EventContract } from '@nifty/events/define-event'
import { events } from '@nifty/events/events'

type Subscribed = { event: Pick<EventContract, 'name'> }

const withoutVersion = (name: string) => name.replace(/\.v\d+$/, '')

const eventsOfStore = new Set(events.map(({ name }) => withoutVersion(name)))

/**
 * True if the message came from the topic of its event. Only the publishing service may write there; another one could
 * put the name of any event on a message of its own topic.
 */
export const isInOwnTopic = ({ name, topic }: { name: string; topic: string }) => name.startsWith(`${topic}.`)

/** True for an event of this store, in any version. */
export const isEventOfStore = (name: string) => eventsOfStore.has(withoutVersion(name))

/** True for an event that these subscriptions consume, in a version that none of them has. */
export const isUnknownVersion = (subscriptions: Subscribed[], name: string) =>
  subscriptions.every(({ event }) => event.name !== name) &&
  subscriptions.some(({ event }) => withoutVersion(event.name) === withoutVersion(name))

export const unknownVersionError = (name: string) =>
  new Error(`This release does not know ${name}; a release that knows it retries it`)
