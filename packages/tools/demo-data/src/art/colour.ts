type Rgb = readonly [number, number, number]

export function rgb(hex: string): Rgb {
  const n = Number.parseInt(hex.slice(1), 16)
  return [n >> 16, (n >> 8) & 255, n & 255]
}

function hex([r, g, b]: Rgb): string {
  const n = (Math.round(r) << 16) | (Math.round(g) << 8) | Math.round(b)
  return `#${n.toString(16).padStart(6, '0')}`
}

/** Mixes a and b in linear light, which keeps mixtures saturated. */
export function mix(a: string, b: string, share: number): string {
  const t = Math.min(1, Math.max(0, share))
  const from = rgb(a)
  const to = rgb(b)
  const blend = (i: 0 | 1 | 2) => Math.sqrt(from[i] ** 2 * (1 - t) + to[i] ** 2 * t)
  return hex([blend(0), blend(1), blend(2)])
}

export const darker = (colour: string, share: number) => mix(colour, '#07070f', share)
export const lighter = (colour: string, share: number) => mix(colour, '#fffaf0', share)

/** The colour at a position (0 … 1) of a gradient. */
export function along(stops: readonly string[], position: number): string {
  const t = Math.min(0.9999, Math.max(0, position)) * (stops.length - 1)
  const i = Math.floor(t)
  return mix(stops[i]!, stops[i + 1] ?? stops[i]!, t - i)
}

/** A gradient in 1024 steps as RGB bytes, for drawing by pixel. */
export function ramp(stops: readonly string[]): Uint8Array {
  const table = new Uint8Array(1024 * 3)
  for (let i = 0; i < 1024; i++) table.set(rgb(along(stops, i / 1023)), i * 3)
  return table
}
