import { type ReceivedEvent, withoutNews } from './webhook.ts'

/** The processor sends the events of one change together; each takes a connection of its own. */
const COLLECT_MS = 20
/** Events without news wait for others, also of other orders. The processor allows several seconds for a response. */
const COLLECT_WITHOUT_NEWS_MS = 250
/** Events of one statement. */
const AT_MOST = 100

/**
 * Stores webhooks that arrive together by one statement; when that fails, each by its own, so that one that cannot be
 * stored does not keep out the others. `store` resolves when its event is committed, and rejects when that failed.
 */
export function createEventCollector(storeAll: (events: ReceivedEvent[]) => Promise<unknown>) {
  type Collected = { events: ReceivedEvent[]; stored: Promise<unknown>; endIn: (ms: number) => void }
  let collected: Collected | undefined

  function collect(): Collected {
    const events: ReceivedEvent[] = []
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    let endsAt = Number.POSITIVE_INFINITY
    let timer: NodeJS.Timeout | undefined
    const endIn = (ms: number) => {
      if (performance.now() + ms >= endsAt) return
      endsAt = performance.now() + ms
      clearTimeout(timer)
      timer = setTimeout(end, ms)
    }
    const stored = ended.then(() => {
      if (collected?.events === events) collected = undefined
      return storeAll(events)
    })
    return { events, stored, endIn }
  }

  return {
    store: async (event: ReceivedEvent) => {
      if (!collected || collected.events.length === AT_MOST) collected = collect()
      const { events, stored, endIn } = collected
      events.push(event)
      endIn(withoutNews.has(event.type) ? COLLECT_WITHOUT_NEWS_MS : COLLECT_MS)
      try {
        await stored
      } catch (error) {
        if (events.length === 1) throw error
        await storeAll([event])
      }
    },
  }
}
