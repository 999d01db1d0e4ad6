import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from '../journal.ts'

/**
 * Actions of this prefix are requests to the card processor itself, whose injected errors are no answers of the store.
 */
export const AT_PROCESSOR = 'at the processor: '

/** The response to one request of a client; `status` 0: none. */
export type Answer = { place: number; action: string; status: number; ms: number; code?: string; message?: string }

type Response<Body> = { status: number; body: Body }

const PAUSE_MS = 500

/** Sends a client's requests and keeps every response, for the checker and in the journal. */
export function createClientLog(journal: Journal) {
  const answers: Answer[] = []

  async function once<Body>(place: number, action: string, send: () => Promise<Response<Body>>) {
    const since = performance.now()
    const finish = (answer: Pick<Answer, 'status' | 'code' | 'message'>) => {
      const whole = { place, action, ms: Math.round(performance.now() - since), ...answer }
      answers.push(whole)
      journal.write({ actor: 'driver', what: 'answer', ...whole })
    }
    try {
      const response = await send()
      const { code, message } = (response.body ?? {}) as { code?: string; message?: string }
      finish({ status: response.status, ...(response.status >= 300 ? { code, message } : {}) })
      return response
    } catch (error) {
      finish({ status: 0, message: String((error as Error).cause ?? error) })
      return undefined
    }
  }

  return {
    answers,
    once,
    /** True if a request of this purchase had no response, or an error of the server. */
    failed: (place: number, action: string) =>
      answers.some(
        (each) => each.place === place && each.action === action && (each.status === 0 || each.status >= 500),
      ),
    /** Repeats a request until its response is no error of the server and not "too many requests", or until `over`. */
    untilAnswered: async <Body>(
      place: number,
      action: string,
      { send, over }: { send: () => Promise<Response<Body>>; over: () => boolean },
    ): Promise<Response<Body> | undefined> => {
      while (!over()) {
        const response = await once(place, action, send)
        if (response && response.status < 500 && response.status !== 429) return response
        await sleep(PAUSE_MS)
      }
      return undefined
    },
  }
}

export type ClientLog = ReturnType<typeof createClientLog>
