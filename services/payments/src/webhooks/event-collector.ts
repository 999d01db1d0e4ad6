import { setTimeout as wait } from 'node:timers/promises'
import type { ReceivedEvent } from './webhook.ts'

/** The processor sends the events of one change together; each takes a connection of its own. */
const COLLECT_MS = 20
/** Events of one statement. */
const AT_MOST = 100

/**
 * Stores webhooks that arrive together by one statement; when that fails, each by its own, so that one that cannot be stored does
 * not keep out the others. `store` resolves when its event is committed, and rejects when that failed.
 */
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
      const { events, stored } = collected
      events.push(event)
      try {
        await stored
      } catch (error) {
        if (events.length === 1) throw error
        await storeAll([event])
      }
    },
  }
}
