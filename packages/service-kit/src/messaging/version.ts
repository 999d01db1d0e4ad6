import type { EventContract } from '@nifty/events/define-event'
import { events } from '@nifty/events/events'

type Subscribed = { event: Pick<EventContract, 'name'> }

const withoutVersion = (name: string) => name.replace(/\.v\d+$/, '')

const eventsOfStore = new Set(events.map(({ name }) => withoutVersion(name)))

/** True for an event of this store, in any version. */
export const isEventOfStore = (name: string) => eventsOfStore.has(withoutVersion(name))

/** True for an event that these subscriptions consume, in a version that none of them has. */
export const isUnknownVersion = (subscriptions: Subscribed[], name: string) =>
  subscriptions.every(({ event }) => event.name !== name) &&
  subscriptions.some(({ event }) => withoutVersion(event.name) === withoutVersion(name))

export const unknownVersionError = (name: string) =>
  new Error(`This release does not know ${name}; a release that knows it retries it`)
