import { getFrontEndConfig } from '@nifty/api/gateway'
import { useEffect, useState } from 'react'

/** Milliseconds that the server's clock is ahead of the visitor's. */
let ahead = 0
/** Of `performance.now()`; undefined before the first measurement. */
let measuredAt: number | undefined
let measuring: Promise<void> | undefined

/** Milliseconds after which the clocks are compared again: the visitor's may be set, or the device may have slept. */
const MEASURED_EVERY_MS = 5 * 60_000

/** Compares the clocks by the header `Date` of a response that no cache has kept. */
async function measure() {
  const sent = Date.now()
  const response = await fetch(getFrontEndConfig.path, { method: 'HEAD', cache: 'no-store' })
  const received = Date.now()
  const date = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(date)) return
  // The header has whole seconds: on average it is half a second behind.
  ahead = date + 500 - (sent + received) / 2
  measuredAt = performance.now()
}

function measureIfOld() {
  if (measuredAt !== undefined && performance.now() - measuredAt < MEASURED_EVERY_MS) return
  // Without a response the last difference stays.
  measuring ??= measure()
    .catch(() => undefined)
    .finally(() => {
      measuring = undefined
    })
}

/** The time of the server's clock in milliseconds, updated every `intervalMs` ms. */
export function useServerNow(intervalMs: number): number {
  const [now, setNow] = useState(() => Date.now() + ahead)
  useEffect(() => {
    const update = () => {
      measureIfOld()
      setNow(Date.now() + ahead)
    }
    update()
    void measuring?.then(update)
    const timer = setInterval(update, intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now
}
