export type Point = readonly [number, number]

/** Rounds to tenths of a pixel: finer is invisible, and shorter text parses faster. */
export const n = (value: number) => String(Math.round(value * 10) / 10)

export const points = (list: readonly Point[]) => list.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')

export const closed = (list: readonly Point[]) => `M${points(list)}Z`

/** A smooth line through the points. */
export function curve(list: readonly Point[]): string {
  const first = list[0]!
  let d = `M${n(first[0])} ${n(first[1])}`
  for (let i = 0; i < list.length - 1; i++) {
    const before = list[Math.max(0, i - 1)]!
    const from = list[i]!
    const to = list[i + 1]!
    const after = list[Math.min(list.length - 1, i + 2)]!
    d += `C${n(from[0] + (to[0] - before[0]) / 6)} ${n(from[1] + (to[1] - before[1]) / 6)} `
    d += `${n(to[0] - (after[0] - from[0]) / 6)} ${n(to[1] - (after[1] - from[1]) / 6)} ${n(to[0])} ${n(to[1])}`
  }
  return d
}

export const path = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`

export const stroke = (d: string, colour: string, width: number, more = '') =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${n(width)}" ${more}/>`

export const disc = (x: number, y: number, r: number, fill: string, more = '') =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" ${more}/>`

export const box = (x: number, y: number, w: number, h: number, fill: string, more = '') =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${fill}" ${more}/>`

type Stop = readonly [offset: number, colour: string, opacity?: number]

const stopsOf = (stops: readonly Stop[]) =>
  stops
    .map(([at, colour, opacity = 1]) => `<stop offset="${at}" stop-color="${colour}" stop-opacity="${opacity}"/>`)
    .join('')

/** A gradient across a shape's bounding box, from one corner (0 … 1) to another. */
export const linear = (id: string, from: Point, to: Point, stops: readonly Stop[]) =>
  `<linearGradient id="${id}" x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}">${stopsOf(stops)}</linearGradient>`

export const radial = (id: string, centre: Point, r: number, stops: readonly Stop[]) =>
  `<radialGradient id="${id}" cx="${centre[0]}" cy="${centre[1]}" r="${r}">${stopsOf(stops)}</radialGradient>`

/** The content and its mirror image across the vertical line at x. */
export const mirrored = (content: string, x: number) =>
  `${content}<g transform="translate(${n(x * 2)} 0) scale(-1 1)">${content}</g>`
