import type { Message } from '../messaging/message.ts'
import type { Transport } from '../messaging/transport.ts'

/** A transport inside one test: collects what is published, and passes the messages of the test to all subscribers. */
export function createTestTransport() {
  const published: Message[] = []
  const subscribers = new Map<string, (message: Message) => Promise<void>>()
  const transport: Transport = {
    publish: async (messages) => {
      published.push(...messages)
    },
    subscribe: async ({ group, handle }) => {
      subscribers.set(group, handle)
      return { stop: async () => void subscribers.delete(group) }
    },
    stop: async () => {},
  }
  return {
    transport,
    published,
    consume: async (message: Message) => {
      for (const handle of subscribers.values()) await handle(message)
    },
  }
}
