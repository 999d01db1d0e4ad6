import type { Message, Transport } from '../messaging/transport.ts'

/** Hands events on inside one test: what was published is kept, and what the test says is heard. */
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
    hear: async (message: Message) => {
      for (const handle of subscribers.values()) await handle(message)
    },
  }
}
