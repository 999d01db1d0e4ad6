import { mix } from './colour.ts'
import type { Random } from './random.ts'
import { curve, n, type Point, path, stroke } from './svg.ts'

/** A strand from the crown beside the face, bent by the wind. */
export function lock(
  random: Random,
  cx: number,
  cy: number,
  u: number,
  wind: number,
  side: number,
  long: number,
  colour: string,
): string {
  const root: Point = [cx + side * 16 * u, cy - 26 * u]
  const out = Math.sign(side) * (24 + Math.abs(side) * 9) * u
  const a: Point = [cx + out, cy - 2 * u]
  const b: Point = [cx + out * 1.05 + wind * 12 * u + random.bell() * 5 * u, cy + long * 0.42 * u]
  const c: Point = [cx + out * 1.15 + wind * 34 * u + random.bell() * 10 * u, cy + long * 0.8 * u]
  const w = u * random.between(3, 6.5)
  const back = ([x, y]: Point, s: number): Point => [x + w * s, y + w * 0.2 * s]
  return path(
    `${curve([root, a, b, c])}${curve([c, back(b, 0.7), back(a, 1), back(root, 1)]).replace('M', 'L')}Z`,
    colour,
  )
}

/** The crown and the fringe. */
export function fringe(
  random: Random,
  cx: number,
  cy: number,
  u: number,
  wind: number,
  hair: string,
  shine: string,
): string {
  let art = path(
    `M${n(cx - 26.5 * u)} ${n(cy + 4 * u)}C${n(cx - 33 * u)} ${n(cy - 48 * u)} ${n(cx + 33 * u)} ${n(cy - 48 * u)} ${n(cx + 26.5 * u)} ${n(cy + 4 * u)}Q${n(cx + 24 * u)} ${n(cy - 12 * u)} ${n(cx + 15 * u)} ${n(cy - 17 * u)}Q${n(cx)} ${n(cy - 21 * u)} ${n(cx - 15 * u)} ${n(cy - 17 * u)}Q${n(cx - 24 * u)} ${n(cy - 12 * u)} ${n(cx - 26.5 * u)} ${n(cy + 4 * u)}Z`,
    hair,
  )
  const part = random.between(-8, 8)
  const tips = 9
  for (let i = 0; i < tips; i++) {
    const t = i / (tips - 1)
    const x = -24 + t * 48
    const edge = Math.abs(t - 0.5) * 2
    const drop = -9 + edge ** 3 * 26 + random.bell() * 3.4
    const w = 4.6 + random.between(0, 2.4)
    const sweep = wind * 4 + (x - part) * 0.12
    art += path(
      `M${n(cx + (part + (x - part) * 0.5 - w) * u)} ${n(cy - 30 * u)}Q${n(cx + (x - w * 0.9) * u)} ${n(cy - 18 * u)} ${n(cx + (x + sweep) * u)} ${n(cy + drop * u)}Q${n(cx + (x + w) * u)} ${n(cy - 18 * u)} ${n(cx + (part + (x - part) * 0.5 + w) * u)} ${n(cy - 30 * u)}Z`,
      i % 3 === 1 ? mix(hair, shine, 0.2) : hair,
    )
  }
  const gleam = (from: number, low: number, high: number, width: number) =>
    stroke(
      `M${n(cx - from * u)} ${n(cy + low * u)}Q${n(cx)} ${n(cy + high * u)} ${n(cx + from * u)} ${n(cy + low * u)}`,
      shine,
      u * width,
      'stroke-linecap="round" opacity="0.6"',
    )
  art += gleam(18, -20, -29, 1.9) + gleam(13, -24, -29.5, 0.8)
  return art
}
