import { darker, lighter, mix } from './colour.ts'
import type { Random } from './random.ts'
import { box, disc, n, path, stroke } from './svg.ts'

type MotorcycleColours = { paint: string; steel: string; ink: string; sun: string }

/** A motorcycle about 300 wide, wheels on y = 0, front to the right. `shade` is the colour of unlit parts. */
export function machine(random: Random, set: MotorcycleColours) {
  const kind = random.pick(['racer', 'racer', 'scrambler', 'cruiser'] as const)
  const rear = { x: -92, r: kind === 'cruiser' ? 40 : 44 }
  const front = { x: kind === 'cruiser' ? 116 : 98, r: kind === 'scrambler' ? 48 : kind === 'cruiser' ? 48 : 44 }
  const hub = (w: { x: number; r: number }) => [w.x, -w.r] as const
  const [rx, ry] = hub(rear)
  const [fx, fy] = hub(front)
  const neck = { x: kind === 'cruiser' ? 42 : 50, y: kind === 'scrambler' ? -124 : -116 }
  const steel = set.steel
  const grey = mix(steel, set.ink, 0.55)
  const bar =
    kind === 'racer'
      ? `M${neck.x + 4} ${neck.y - 6}q-4 -8 10 -8l16 4`
      : kind === 'cruiser'
        ? `M${neck.x} ${neck.y - 4}q-4 -30 -8 -40q-14 -6 -30 2`
        : `M${neck.x} ${neck.y - 4}l-2 -14q-12 -8 -22 -4`
  let art = wheel(random, set, rear, kind === 'scrambler') + wheel(random, set, front, kind === 'scrambler')
  art +=
    stroke(`M${rx} ${ry}L-20 -46L-14 -52`, grey, 9, 'stroke-linecap="round"') +
    stroke(`M${rx + 2} ${ry}L-58 -98`, steel, 5)
  art += stroke(`M${rx + 2} ${ry - 2}L-57 -96`, set.ink, 9, 'stroke-dasharray="3 3"')
  art +=
    stroke(`M${fx} ${fy}L${neck.x} ${neck.y}`, grey, 10, 'stroke-linecap="round"') +
    stroke(`M${fx} ${fy}L${fx + (neck.x - fx) * 0.55} ${fy + (neck.y - fy) * 0.55}`, steel, 6, 'stroke-linecap="round"')
  art += stroke(
    `M${neck.x} ${neck.y}L-56 -98L-30 -40L34 -34L${neck.x - 4} ${neck.y + 8}`,
    darker(set.paint, 0.45),
    7,
    'stroke-linejoin="round"',
  )
  art += engine(random, set, steel, grey)
  const pipe =
    kind === 'scrambler' ? 'M26 -62Q44 -50 26 -40L-30 -62L-104 -76' : 'M26 -62Q50 -44 34 -26Q24 -18 -10 -18L-120 -22'
  art +=
    stroke(pipe, grey, 9, 'stroke-linecap="round"') +
    stroke(pipe, lighter(steel, 0.2), 4, 'stroke-linecap="round" transform="translate(0 -1.5)"')
  art +=
    kind === 'scrambler'
      ? stroke('M-52 -68L-116 -78', set.ink, 14, 'stroke-linecap="round"') +
        stroke('M-56 -70L-112 -79', grey, 4, 'stroke-dasharray="5 4"')
      : stroke('M-44 -19L-126 -22', grey, 15, 'stroke-linecap="round"') +
        stroke('M-46 -22L-122 -25', lighter(steel, 0.3), 4, 'stroke-linecap="round"')
  const tank =
    kind === 'cruiser'
      ? 'M-24 -100Q-16 -126 14 -128Q40 -128 44 -112Q44 -98 22 -96L-16 -94Q-26 -94 -24 -100Z'
      : 'M-28 -98Q-26 -128 6 -130Q40 -132 50 -116Q52 -102 36 -97L-18 -92Q-28 -92 -28 -98Z'
  const seat = {
    racer: 'M-26 -104Q-60 -100 -88 -106Q-112 -112 -116 -122Q-92 -126 -84 -116Q-60 -110 -26 -114Z',
    scrambler: 'M-24 -104L-98 -100Q-108 -102 -106 -112L-92 -113Q-54 -110 -24 -116Z',
    cruiser: 'M-22 -98Q-40 -84 -66 -90L-108 -96Q-122 -100 -118 -110Q-92 -112 -78 -104Q-52 -98 -34 -110Z',
  }[kind]
  art +=
    path(seat, set.ink) +
    stroke(
      kind === 'racer' ? 'M-30 -109Q-60 -105 -84 -111' : 'M-34 -106L-92 -105',
      mix(set.ink, steel, 0.35),
      1.5,
      'stroke-dasharray="3 4"',
    )
  if (kind === 'racer') art += path('M-84 -116Q-104 -130 -120 -122Q-116 -108 -92 -104Z', set.paint)
  art +=
    path(tank, set.paint) +
    path(
      'M-20 -118Q-8 -126 12 -126Q30 -127 40 -119Q20 -123 0 -120Q-14 -118 -20 -118Z',
      lighter(set.paint, 0.55),
      'opacity="0.85"',
    )
  art +=
    stroke('M-24 -104L44 -108', lighter(set.paint, 0.75), 3) +
    disc(8, -113, 6, lighter(set.paint, 0.8)) +
    disc(8, -113, 3, darker(set.paint, 0.4))
  art +=
    stroke(arc(rx, ry, rear.r + 7, kind === 'cruiser' ? 165 : 215, 318), set.paint, 7, 'stroke-linecap="round"') +
    stroke(arc(fx, fy, front.r + 7, 205, kind === 'cruiser' ? 335 : 305), set.paint, 6, 'stroke-linecap="round"')
  art += stroke(bar, steel, 5, 'stroke-linecap="round"')
  const lamp = { x: neck.x + 20, y: neck.y + 4 }
  art +=
    disc(lamp.x, lamp.y, 13, grey) +
    box(lamp.x, lamp.y - 13, 10, 26, steel, 'rx="4"') +
    `<ellipse cx="${lamp.x + 10}" cy="${lamp.y}" rx="4" ry="12" fill="${lighter(set.sun, 0.4)}"/>`
  art += box(-124, -116 + (kind === 'cruiser' ? 14 : 0), 8, 7, '#e2372f', 'rx="2"')
  const shade = (dark: string) =>
    `<defs><linearGradient id="m" x1="0" y1="0" x2="0" y2="1"><stop offset="0.35" stop-color="${dark}" stop-opacity="0"/><stop offset="1" stop-color="${dark}" stop-opacity="0.75"/></linearGradient></defs>` +
    path(tank, 'url(#m)') +
    disc(0, -58, 34, 'url(#m)') +
    disc(rx, ry, rear.r, 'url(#m)', 'opacity="0.7"') +
    disc(fx, fy, front.r, 'url(#m)', 'opacity="0.7"')
  return { shapes: art, shade }
}

function wheel(random: Random, set: MotorcycleColours, { x, r }: { x: number; r: number }, knobs: boolean): string {
  const y = -r
  const spokes = random.pick([10, 14, 18])
  let art =
    disc(x, y, r - 5, 'none', `stroke="${set.ink}" stroke-width="11"`) +
    disc(x, y, r - 11, 'none', `stroke="${set.steel}" stroke-width="3"`)
  if (knobs) art += disc(x, y, r - 1, 'none', `stroke="${set.ink}" stroke-width="5" stroke-dasharray="6 4"`)
  for (let i = 0; i < spokes; i++) {
    const a = (i / spokes) * Math.PI * 2
    const b = a + (i % 2 ? 0.5 : -0.5)
    art += stroke(
      `M${n(x + Math.cos(b) * 7)} ${n(y + Math.sin(b) * 7)}L${n(x + Math.cos(a) * (r - 12))} ${n(y + Math.sin(a) * (r - 12))}`,
      mix(set.steel, set.ink, 0.25),
      1.1,
    )
  }
  return (
    art +
    disc(x, y, 15, 'none', `stroke="${mix(set.steel, set.ink, 0.4)}" stroke-width="4" stroke-dasharray="3 2"`) +
    disc(x, y, 8, mix(set.steel, set.ink, 0.5)) +
    disc(x, y, 3.5, set.steel)
  )
}

function engine(random: Random, set: MotorcycleColours, steel: string, grey: string): string {
  let art =
    path('M-38 -52Q-40 -26 -16 -22L22 -22Q38 -26 36 -44L30 -58L-30 -58Z', grey) +
    disc(14, -40, 14, mix(steel, grey, 0.4)) +
    disc(14, -40, 9, steel) +
    disc(14, -40, 3, grey) +
    disc(-18, -40, 9, mix(steel, grey, 0.6))
  const twin = random.chance(0.5)
  const cylinder = (turn: number, cx: number) => {
    let fins = ''
    for (let i = 0; i < 7; i++)
      fins += box(-15 + i * 0.6, -36 + i * 5, 30 - i * 1.2, 3, i % 2 ? steel : mix(steel, grey, 0.35), 'rx="1.5"')
    return `<g transform="translate(${cx} -56) rotate(${turn})">${box(-10, -36, 20, 38, set.ink)}${fins}${box(-12, -44, 24, 9, mix(steel, grey, 0.2), 'rx="3"')}</g>`
  }
  art += twin ? cylinder(-24, -12) + cylinder(26, 14) : cylinder(8, 4)
  return art + stroke('M-20 -66L-34 -74', set.ink, 12, 'stroke-linecap="round"')
}

function arc(x: number, y: number, r: number, from: number, to: number): string {
  const at = (d: number) => `${n(x + Math.cos((d * Math.PI) / 180) * r)} ${n(y + Math.sin((d * Math.PI) / 180) * r)}`
  return `M${at(from)}A${r} ${r} 0 ${to - from > 180 ? 1 : 0} 1 ${at(to)}`
}
