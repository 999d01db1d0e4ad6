import { busy } from '@nifty/service-kit/base/errors'

export type PoolSize = {
  /** Requests that have a place at once: of all clients, and of one. */
  places: number
  placesPerClient: number
  /** Requests that wait for one: of all clients, and of one. */
  waiting: number
  waitingPerClient: number
  /** How long a request waits at most, in milliseconds. */
  waitMs: number
}

export type Pool = {
  places: number
  /**
   * Calls `start` at once, or when a place is free for this client, the longest waiting request first. It gets a 503 if
   * too many wait, or when the request has waited too long. The result gives the place back, or ends the waiting.
   */
  take: (client: string, start: (error?: Error) => void) => () => void
  /** A place, if one is free for this client; the result gives it back. */
  tryTake: (client: string) => (() => void) | undefined
}

type Waiting = { client: string; start: (error?: Error) => void; timer: NodeJS.Timeout }

/** Places for requests, of which each client has a share. */
export function createPool(size: PoolSize): Pool {
  const taken = new Map<string, number>()
  let free = size.places
  const queue = new Set<Waiting>()
  const isFree = (client: string) => free > 0 && (taken.get(client) ?? 0) < size.placesPerClient

  function leave(waiting: Waiting) {
    clearTimeout(waiting.timer)
    queue.delete(waiting)
  }

  function tryTake(client: string) {
    if (!isFree(client)) return undefined
    free--
    taken.set(client, (taken.get(client) ?? 0) + 1)
    return () => {
      free++
      const left = taken.get(client)! - 1
      if (left > 0) taken.set(client, left)
      else taken.delete(client)
      for (const waiting of queue)
        if (isFree(waiting.client)) {
          waiting.start()
          break
        }
    }
  }

  function hasRoom(client: string) {
    if (queue.size >= size.waiting) return false
    let own = 0
    for (const waiting of queue) if (waiting.client === client) own++
    return own < size.waitingPerClient
  }

  return {
    places: size.places,
    tryTake,
    take: (client, start) => {
      let release = tryTake(client)
      if (release) {
        start()
        return release
      }
      if (!hasRoom(client)) {
        start(busy())
        return () => {}
      }
      const waiting: Waiting = {
        client,
        start: (error) => {
          leave(waiting)
          if (!error) release = tryTake(client)
          start(error)
        },
        timer: setTimeout(() => waiting.start(busy()), size.waitMs),
      }
      queue.add(waiting)
      return () => (release ? release() : leave(waiting))
    },
  }
}
