import type { ServiceName } from '@nifty/api/services'
import { events } from './events.ts'

const topicsOf = (chosen: typeof events) => [...new Set(chosen.map(({ topic }) => topic))].sort()

/** The topics that a service publishes to: its own, if it has events. */
export const topicsPublishedBy = (service: ServiceName) => topicsOf(events.filter(({ topic }) => topic === service))

/** The topics of the events that a service consumes. */
export const topicsConsumedBy = (service: ServiceName) =>
  topicsOf(events.filter(({ consumers }) => consumers.includes(service)))
