import { AUCTION_STARTS_WITHIN_DAYS, auctionHours } from '@nifty/api/auction-limits'

/** Hours of an auction as typed; undefined where they are none. */
export function hoursOf(text: string): number | undefined {
  const hours = /^\d{1,2}$/.test(text.trim()) ? Number(text) : 0
  return hours >= auctionHours.min && hours <= auctionHours.max ? hours : undefined
}

const two = (value: number) => String(value).padStart(2, '0')

/** A moment as an input of type `datetime-local` has it, in the browser's time zone. */
export function localTime(ms: number): string {
  const at = new Date(ms)
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The earliest and the latest start that can be chosen. */
export const startRange = (now: number) => ({
  min: localTime(now + 60_000),
  max: localTime(now + AUCTION_STARTS_WITHIN_DAYS * 24 * 60 * 60_000),
})
