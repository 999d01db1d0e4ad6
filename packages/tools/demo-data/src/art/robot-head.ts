import { darker, lighter, mix } from './colour.ts'
import type { Random } from './random.ts'
import { box, disc, mirrored, n, path, stroke } from './svg.ts'

export type RobotColours = { shell: string; trim: string; dark: string; light: string }
type Place = { x: number; y: number; unit: number }

/** A head centred at the given point; `silhouette` is its outline in any fill, for shading. */
export function robotHead(random: Random, set: RobotColours, { x, y, unit }: Place) {
  const w = unit * random.between(21, 28)
  const h = unit * random.between(22, 29)
  const crown = random.pick([0.15, 0.45, 0.9])
  const jaw = random.between(0.66, 1.04)
  const outline =
    `M${n(x - w * jaw)} ${n(y + h)}L${n(x - w)} ${n(y - h * (1 - crown))}Q${n(x - w)} ${n(y - h)} ${n(x - w * (1 - crown * 0.8))} ${n(y - h)}` +
    `L${n(x + w * (1 - crown * 0.8))} ${n(y - h)}Q${n(x + w)} ${n(y - h)} ${n(x + w)} ${n(y - h * (1 - crown))}L${n(x + w * jaw)} ${n(y + h)}Z`
  const rounding = `stroke-linejoin="round" stroke-width="${n(unit * 4)}"`
  const silhouette = (fill: string) => path(outline, fill)
  let art = ears(random, set, { x, y, unit }, w) + aerial(random, set, { x, y: y - h, unit }, w)
  art += path(outline, set.shell, `stroke="${set.shell}" ${rounding}`)
  if (random.chance(0.6)) art += box(x - unit * 2.2, y - h - unit * 2, unit * 4.4, h * 0.5, set.trim)
  art += stroke(`M${n(x - w)} ${n(y + h * 0.28)}L${n(x + w)} ${n(y + h * 0.28)}`, darker(set.shell, 0.3), unit * 0.5)
  art += eyes(random, set, { x, y: y - h * random.between(0.08, 0.28), unit }, w)
  art += mouth(random, set, { x, y: y + h * 0.62, unit }, w * jaw)
  const bolts =
    disc(x + w * 0.86, y - h * 0.62, unit * 0.9, darker(set.shell, 0.35)) +
    disc(x + w * jaw * 0.9, y + h * 0.88, unit * 0.9, darker(set.shell, 0.35))
  return { shapes: art + mirrored(bolts, x), silhouette }
}

function ears(random: Random, set: RobotColours, { x, y, unit }: Place, w: number): string {
  const kind = random.pick(['disc', 'box', 'fin'])
  if (kind === 'disc')
    return mirrored(
      disc(x + w + unit, y, unit * 7, set.trim) + disc(x + w + unit * 2, y, unit * 4.2, darker(set.trim, 0.3)),
      x,
    )
  if (kind === 'box')
    return mirrored(
      box(x + w - unit, y - unit * 6, unit * 6, unit * 13, set.trim, `rx="${n(unit)}"`) +
        box(x + w + unit * 4, y - unit * 3, unit * 4, unit * 7, set.dark, `rx="${n(unit)}"`),
      x,
    )
  return mirrored(
    path(
      `M${n(x + w - unit)} ${n(y - unit * 4)}L${n(x + w + unit * 9)} ${n(y - unit * 17)}L${n(x + w + unit * 6)} ${n(y + unit * 6)}L${n(x + w - unit)} ${n(y + unit * 8)}Z`,
      set.trim,
    ),
    x,
  )
}

function aerial(random: Random, set: RobotColours, { x, y, unit }: Place, w: number): string {
  const rod = (rx: number, tall: number) =>
    box(rx - unit * 0.6, y - unit * tall, unit * 1.2, unit * tall, set.dark) +
    disc(rx, y - unit * tall, unit * 2.3, set.trim) +
    disc(rx - unit * 0.7, y - unit * tall - unit * 0.7, unit * 0.7, lighter(set.trim, 0.7))
  const kind = random.pick(['one', 'two', 'dome', 'crest'])
  if (kind === 'one') return rod(x, random.between(9, 13))
  if (kind === 'two') return mirrored(rod(x + w * 0.5, random.between(7, 11)), x)
  if (kind === 'dome')
    return (
      disc(x, y, unit * 9, mix(set.light, set.shell, 0.15), 'opacity="0.92"') +
      disc(x - unit * 3, y - unit * 4, unit * 1.8, '#ffffff', 'opacity="0.7"')
    )
  return [-2, -1, 0, 1, 2]
    .map((i) =>
      box(
        x + i * unit * 4 - unit,
        y - unit * (8 - Math.abs(i) * 1.8),
        unit * 2,
        unit * 9,
        i % 2 ? set.trim : set.dark,
        `rx="${n(unit)}"`,
      ),
    )
    .join('')
}

function eyes(random: Random, set: RobotColours, { x, y, unit }: Place, w: number): string {
  const kind = random.pick(['round', 'round', 'visor', 'one', 'odd'])
  const lens = (ex: number, r: number) => {
    const look = unit * 0.8
    return (
      disc(ex, y, r * 1.28, set.dark) +
      disc(ex, y, r, set.light) +
      disc(ex + look, y, r * 0.62, mix(set.light, set.trim, 0.75)) +
      disc(ex + look, y, r * 0.36, set.dark) +
      disc(ex - r * 0.34, y - r * 0.36, r * 0.2, '#ffffff')
    )
  }
  if (kind === 'visor') {
    const slots = Array.from({ length: 7 }, (_, i) =>
      box(
        x - w * 0.66 + i * w * 0.2,
        y - unit * 2.6,
        w * 0.12,
        unit * 5.2,
        i === 2 || i === 4 ? set.light : mix(set.light, set.dark, 0.72),
        `rx="${n(unit * 0.6)}"`,
      ),
    ).join('')
    return box(x - w * 0.84, y - unit * 5, w * 1.68, unit * 10, set.dark, `rx="${n(unit * 5)}"`) + slots
  }
  if (kind === 'one') return lens(x, unit * 9)
  const r = unit * random.between(5, 6.6)
  if (kind === 'odd') return lens(x - w * 0.42, r * 1.3) + lens(x + w * 0.48, r * 0.75)
  return lens(x - w * 0.44, r) + lens(x + w * 0.44, r)
}

function mouth(random: Random, set: RobotColours, { x, y, unit }: Place, w: number): string {
  const kind = random.pick(['grille', 'teeth', 'line', 'dots'])
  const wide = w * random.between(0.5, 0.66)
  const tall = unit * 5
  if (kind === 'line')
    return (
      box(x - wide, y - unit, wide * 2, unit * 2.4, set.dark, `rx="${n(unit * 1.2)}"`) +
      disc(x + wide, y + unit * 0.2, unit * 2.2, set.trim)
    )
  if (kind === 'dots')
    return Array.from({ length: 15 }, (_, i) =>
      disc(x + ((i % 5) - 2) * unit * 4, y + (Math.floor(i / 5) - 1) * unit * 3.4, unit * 1.1, set.dark),
    ).join('')
  const bars = kind === 'teeth' ? 5 : 8
  const plate = box(x - wide, y - tall * 0.6, wide * 2, tall * 1.3, set.dark, `rx="${n(unit)}"`)
  const fill = kind === 'teeth' ? lighter(set.shell, 0.3) : set.trim
  return (
    plate +
    Array.from({ length: bars }, (_, i) =>
      box(
        x - wide + unit + (i * (wide * 2 - unit * 2)) / bars,
        y - tall * 0.42,
        ((wide * 2 - unit * 2) / bars) * 0.72,
        tall * 0.94,
        fill,
        `rx="${n(unit * 0.4)}"`,
      ),
    ).join('')
  )
}
