import { useEffect, useState } from 'react'

const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' })
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
const utcDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const formats = { full, day, utcDay }

/** The time of day of today's moments, day and time of all others. */
const recent = (at: Date) => (day.format(at) === day.format(new Date()) ? clock : full).format(at)

/** An ISO 8601 date in the browser's time zone; `utcDay` in UTC. */
export const Time = ({ at, as = 'full' }: { at: string; as?: keyof typeof formats | 'recent' }) => (
  <time dateTime={at}>{as === 'recent' ? recent(new Date(at)) : formats[as].format(new Date(at))}</time>
)

/** The current time in milliseconds, updated every second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}
