import type { NftDetail } from '@nifty/api/catalog/public'

type Entry = NftDetail['history'][number]
/** `euros`: the price of a listing or a sale. `repriced`: listed again without a sale in between. */
export type PricePoint = { at: string; what: 'listed' | 'repriced' | 'sold'; euros: number }

/** The prices of an item's history, oldest first. */
export function pricePoints(history: Entry[]): PricePoint[] {
  const points: PricePoint[] = []
  for (const { what, at, price } of [...history].reverse()) {
    if (price === null || (what !== 'listed' && what !== 'sold')) continue
    const isRepriced = what === 'listed' && points.length > 0 && points.at(-1)!.what !== 'sold'
    points.push({ what: isRepriced ? 'repriced' : what, at, euros: price })
  }
  return points
}

/** Whether the price was ever another one: if not, a chart is a level line at the top of an empty area. */
export const hasChanged = (points: PricePoint[]) => points.some(({ euros }) => euros !== points[0]!.euros)

export type Placed = PricePoint & { x: number; y: number }

/**
 * Places the points in a box: time from left to right, the price from 0 at the bottom. A single moment is in the
 * middle.
 */
export function placePoints(points: PricePoint[], { width, height }: { width: number; height: number }): Placed[] {
  const times = points.map(({ at }) => Date.parse(at))
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const highest = Math.max(...points.map(({ euros }) => euros))
  return points.map((point, index) => ({
    ...point,
    x: last === first ? width / 2 : ((times[index]! - first) / (last - first)) * width,
    y: highest === 0 ? height : height - (point.euros / highest) * height,
  }))
}

/** A line in steps: a price holds until the next one. */
export const stepPath = (placed: Placed[]) =>
  placed.map(({ x, y }, index) => (index === 0 ? `M${x} ${y}` : `H${x}V${y}`)).join('')
