import { setTimeout as wait } from 'node:timers/promises'
import type { ReceivedEvent } from './webhook.ts'

/** The processor sends the events of one change together; each takes a connection of its own. */
const COLLECT_MS = 20
/** Events of one statement. */
const AT_MOST = 100

/** Stores webhooks that arrive together by one statement. `store` resolves when it is committed, and rejects when it failed. */
export function createEventCollector(storeAll: (events: ReceivedEvent[]) => Promise<unknown>) {
  let collected: { events: ReceivedEvent[]; stored: Promise<unknown> } | undefined

  function collect() {
    const events: ReceivedEvent[] = []
    const stored = wait(COLLECT_MS).then(() => {
      if (collected?.events === events) collected = undefined
      return storeAll(events)
    })
    return { events, stored }
  }

  return {
    store: async (event: ReceivedEvent) => {
      if (!collected || collected.events.length === AT_MOST) collected = collect()
      collected.events.push(event)
      await collected.stored
    },
  }
}
