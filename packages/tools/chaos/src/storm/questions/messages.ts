import { serviceNames } from '@nifty/api/services'
import { nameInStore } from '../../campaign/databases.ts'
import type { Row, World } from '../world.ts'
import { each, type Question } from './question.ts'

type Event = Row & { service: string }

const outboxOf = ({ databases }: World): Event[] =>
  serviceNames.flatMap((service) => databases[service].outbox!.map((event) => ({ ...event, service }) as Event))

/** Where the first message of each event stands. */
const firstOf = ({ topics }: World) => {
  const first = new Map<string, { topic: string; offset: number; partition: number }>()
  for (const { topic, partition, offset, headers } of topics)
    if (headers.id && (first.get(headers.id)?.offset ?? Number.POSITIVE_INFINITY) > offset)
      first.set(headers.id, { topic, partition, offset })
  return first
}

export const messageQuestions: Question[] = [
  each('messages: every event was published', outboxOf, ({ service, name, id, published_at }) =>
    published_at ? undefined : `${service}: ${name} ${id} was not`,
  ),
  {
    name: 'topics: every event is in its topic',
    ask: (world) => {
      const first = firstOf(world)
      const events = outboxOf(world)
      const lost = events.filter(({ id, topic }) => first.get(id)?.topic !== nameInStore(topic))
      return { rows: events.length, wrong: lost.map(({ name, id }) => ({ what: `${name} ${id} is not in its topic` })) }
    },
  },
  {
    name: 'topics: the events of a key first stand in the order in which they were committed',
    ask: (world) => {
      const first = firstOf(world)
      const byKey = Map.groupBy(outboxOf(world), ({ topic, key }) => `${topic} ${key}`)
      const wrong = [...byKey].flatMap(([key, events]) => {
        const offsets = events
          .sort((one, other) => Number(one.seq) - Number(other.seq))
          .flatMap(({ id }) => first.get(id)?.offset ?? [])
        const isOrdered = offsets.every((offset, place) => place === 0 || offset > offsets[place - 1]!)
        return isOrdered ? [] : [{ what: `key ${key}: offsets ${offsets.join(', ')}` }]
      })
      return { rows: byKey.size, wrong }
    },
  },
  {
    name: 'messages: every service has consumed every event that it subscribes to',
    ask: (world) => {
      let rows = 0
      const events = outboxOf(world)
      const wrong = serviceNames.flatMap((service) => {
        const inbox = world.databases[service].inbox!
        const ids = new Set(inbox.map(({ message_id }) => message_id))
        const names = new Set(inbox.map(({ name }) => name))
        const subscribed = events.filter(({ name }) => names.has(name))
        rows += subscribed.length
        return subscribed
          .filter(({ id }) => !ids.has(id))
          .map(({ name, id }) => ({ what: `${service} has not consumed ${name} ${id}` }))
      })
      return { rows, wrong }
    },
  },
  {
    name: 'messages: no retry queue has a message',
    ask: ({ databases }) => ({
      rows: serviceNames.reduce((total, service) => total + databases[service].inbox!.length, 0),
      wrong: serviceNames.flatMap((service) =>
        databases[service].retry_message!.map(({ name, error }) => ({ what: `${service}: ${name}: ${error}` })),
      ),
    }),
  },
  {
    name: 'topics: no consumer group is behind',
    ask: ({ topics, lag }) => ({
      rows: topics.length,
      wrong: lag === 0 ? [] : [{ what: `${lag} messages are not acknowledged` }],
    }),
  },
]
