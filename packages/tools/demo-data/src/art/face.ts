import { darker, lighter, mix } from './colour.ts'
import type { Random } from './random.ts'
import { disc, mirrored, n, path, stroke } from './svg.ts'

type Place = { cx: number; cy: number; u: number }
type Looks = { skin: string; hair: string; eye: string }

/** A face in the style of an animated film, with large eyes. */
export function face(random: Random, { cx, cy, u }: Place, { skin, hair, eye }: Looks): string {
  const at = (x: number, y: number) => `${n(cx + x * u)} ${n(cy + y * u)}`
  const flush = mix(skin, '#ee6b6b', 0.55)
  const shadow = mix(skin, '#b9647a', 0.35)
  let art = path(
    `M${at(-22, -20)}Q${at(-24, 6)} ${at(-16.5, 16)}Q${at(-6, 27.5)} ${at(0, 28)}Q${at(6, 27.5)} ${at(16.5, 16)}Q${at(24, 6)} ${at(22, -20)}Q${at(0, -38)} ${at(-22, -20)}Z`,
    skin,
  )
  art += path(
    `M${at(-22, -20)}Q${at(-23, -8)} ${at(-22.5, -4)}Q${at(-12, -13)} ${at(0, -12)}Q${at(12, -13)} ${at(22.5, -4)}Q${at(23, -8)} ${at(22, -20)}Q${at(0, -34)} ${at(-22, -20)}Z`,
    shadow,
    'opacity="0.5"',
  )
  const closed = random.chance(0.25)
  const line = darker(mix(hair, '#3a1f2b', 0.6), 0.35)
  art += mirrored(closed ? shut(at, u, line) : open(at, u, eye, line), cx)
  const blush = [-2.4, 0, 2.4]
    .map((x) =>
      stroke(`M${at(15 + x - 0.8, 13.4)}L${at(15 + x + 0.8, 10.6)}`, flush, u * 0.55, 'stroke-linecap="round"'),
    )
    .join('')
  art += mirrored(
    `<ellipse cx="${n(cx + 15 * u)}" cy="${n(cy + 12 * u)}" rx="${n(5 * u)}" ry="${n(2.8 * u)}" fill="${flush}" opacity="0.35"/>${blush}`,
    cx,
  )
  art += path(`M${at(0.4, 11.5)}L${at(1.5, 13.6)}L${at(-0.6, 13.9)}Z`, shadow)
  art += random.pick([
    stroke(`M${at(-3.2, 19.4)}Q${at(0, 21.4)} ${at(3.2, 19.2)}`, line, u * 0.55, 'stroke-linecap="round"'),
    path(
      `M${at(-2.6, 18.8)}Q${at(0, 18.2)} ${at(2.6, 18.8)}Q${at(1.6, 22.2)} ${at(0, 22.2)}Q${at(-1.6, 22.2)} ${at(-2.6, 18.8)}Z`,
      mix(flush, line, 0.4),
    ),
    stroke(`M${at(-2, 20)}L${at(2.2, 19.8)}`, line, u * 0.6, 'stroke-linecap="round"'),
  ])
  art += mirrored(
    stroke(
      `M${at(5.5, -9.4)}Q${at(11, -12.4)} ${at(17, -9.4)}`,
      mix(line, hair, 0.4),
      u * 0.8,
      'stroke-linecap="round"',
    ),
    cx,
  )
  if (random.chance(0.2))
    art += path(`M${at(-19, 7)}L${at(-5, 6)}L${at(-6, 8.4)}L${at(-18.4, 9.6)}Z`, lighter(skin, 0.5), 'opacity="0.9"')
  return art
}

type At = (x: number, y: number) => string

function open(at: At, u: number, eye: string, line: string): string {
  const spot = (x: number, y: number, r: number, fill: string) => {
    const [px, py] = at(x, y).split(' ').map(Number)
    return disc(px!, py!, r * u, fill)
  }
  const oval = (x: number, y: number, rx: number, ry: number, fill: string) => {
    const [px, py] = at(x, y).split(' ')
    return `<ellipse cx="${px}" cy="${py}" rx="${n(rx * u)}" ry="${n(ry * u)}" fill="${fill}"/>`
  }
  let art = path(
    `M${at(4.6, 1.5)}Q${at(6.2, -5.6)} ${at(11.6, -5.6)}Q${at(17.4, -5)} ${at(17.6, 1)}Q${at(16.4, 8.6)} ${at(11, 8.7)}Q${at(6, 8.4)} ${at(4.6, 1.5)}Z`,
    '#fffdfa',
  )
  art +=
    oval(11, 1.8, 4.6, 6.7, darker(eye, 0.45)) +
    oval(11, 2.6, 4.2, 5.7, eye) +
    oval(11, 4.9, 3.3, 3.2, lighter(eye, 0.45)) +
    oval(11, 1.4, 2, 3.1, darker(eye, 0.8))
  art += oval(11, -4, 5.6, 2.2, darker(eye, 0.6)) + spot(9.2, -1.4, 1.5, '#ffffff') + spot(12.8, 5, 0.8, '#ffffff')
  art += path(
    `M${at(3.6, 1.6)}Q${at(5.6, -6.6)} ${at(11.8, -6.6)}Q${at(17, -6.2)} ${at(18.2, -1)}L${at(20.6, -2.4)}L${at(18.8, 1.4)}L${at(17.6, 1.6)}Q${at(16.4, -4.4)} ${at(11.6, -4.5)}Q${at(6.6, -4.4)} ${at(3.6, 1.6)}Z`,
    line,
  )
  return (
    art +
    stroke(`M${at(7.6, 8.5)}Q${at(11, 9.7)} ${at(14.6, 8.1)}`, line, u * 0.45) +
    stroke(`M${at(6, -8)}Q${at(11, -9.4)} ${at(16.6, -7.4)}`, line, u * 0.35, 'opacity="0.6"')
  )
}

function shut(at: At, u: number, line: string): string {
  let art = stroke(`M${at(4.4, 2)}Q${at(11, 8.4)} ${at(18, 1.6)}`, line, u * 1.15, 'stroke-linecap="round"')
  for (const [x, y, dx] of [
    [8, 4.6, -0.8],
    [11.4, 5.4, 0.2],
    [14.6, 4.3, 1],
    [17.4, 2.2, 1.8],
  ] as const)
    art += stroke(`M${at(x, y)}L${at(x + dx, y + 2)}`, line, u * 0.7, 'stroke-linecap="round"')
  return art
}
