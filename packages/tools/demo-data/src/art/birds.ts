import { darker, lighter, mix } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import type { Random } from './random.ts'
import { disc, n, path, stroke } from './svg.ts'

const SETS = [
  {
    ground: '#e9dfc8',
    wood: '#4a3b32',
    leaf: '#7d9a6d',
    coats: [
      ['#c8452f', '#f3d9a4', '#1f2a33'],
      ['#2f6f7e', '#f0b24a', '#17252c'],
    ],
  },
  {
    ground: '#12303a',
    wood: '#d6c7a5',
    leaf: '#3e7c75',
    coats: [
      ['#f2a541', '#fbe9c6', '#c8452f'],
      ['#e8e4d4', '#ee6c4d', '#0f1f27'],
    ],
  },
  {
    ground: '#f2c9b3',
    wood: '#5b3a48',
    leaf: '#c77d74',
    coats: [
      ['#2c4a6e', '#fbeee0', '#e2583e'],
      ['#fbeee0', '#7a3b5e', '#f2b134'],
    ],
  },
  {
    ground: '#cfe0dc',
    wood: '#3b4a4e',
    leaf: '#6fa39b',
    coats: [
      ['#f26b4e', '#fff3da', '#22404a'],
      ['#22404a', '#f5c64f', '#f26b4e'],
    ],
  },
  {
    ground: '#2a1d3b',
    wood: '#b79bd0',
    leaf: '#5d4588',
    coats: [
      ['#ff8a70', '#ffe3c2', '#6f58c9'],
      ['#4fd1c5', '#fff0dc', '#ff6f91'],
    ],
  },
  {
    ground: '#e2b33c',
    wood: '#5a3517',
    leaf: '#b9851f',
    coats: [
      ['#1d3b53', '#fff4dc', '#d8432f'],
      ['#fff4dc', '#2a7a6f', '#1d2a33'],
    ],
  },
]
type Scene = (typeof SETS)[number]

/** Birds on branches, made of circles and quarter circles. */
export const birds: Family = {
  shapes: [PORTRAIT, TALL, SQUARE],
  draw(random, { width, height }) {
    const set = random.inTurn(SETS)
    let shapes = `<rect width="100%" height="100%" fill="${set.ground}"/>`
    const sunny = random.chance(0.85)
    if (sunny)
      shapes += disc(
        width * random.between(0.25, 0.75),
        height * random.between(0.2, 0.42),
        width * random.between(0.18, 0.3),
        set.ground < '#8' ? set.leaf : lighter(set.ground, 0.5),
      )
    const rows = random.pick([1, 1, 2, 3])
    let spray = ''
    for (let row = 0; row < rows; row++) {
      const y =
        height *
        (rows === 1 ? random.between(0.66, 0.74) : (rows === 2 ? 0.43 : 0.36) + row * (rows === 2 ? 0.43 : 0.267))
      const count = rows === 1 ? random.pick([1, 2]) : random.whole(2, 3)
      const size = Math.min(
        (width * (rows === 1 ? 0.62 : 0.8)) / (count * 2.1),
        (height * (rows === 1 ? 0.22 : 0.2)) / (rows > 2 ? 1.7 : rows === 1 ? 1 : 1.25),
      )
      shapes += branch(random, set, width, y, size)
      for (let i = 0; i < count; i++) {
        const x = (width * (i + 0.5)) / count + random.bell() * 14
        const coat = random.pick(set.coats)
        const bird = perched(random, coat, size, `b${row}${i}`)
        const flip = random.chance(0.5) ? 'scale(-1 1)' : ''
        const at = `<g transform="translate(${n(x)} ${n(y)}) ${flip}">`
        shapes += `${at}${bird.shapes}</g>`
        spray += `${at}${bird.spray}</g>`
      }
    }
    return { width, height, shapes, spray, finish: { grain: 0.14, paper: 1.1, vignette: 0.1 } }
  },
}

/** A bird at 0,0 that faces right; r is half its length. */
function perched(random: Random, [back, belly, accent]: readonly string[], r: number, id: string) {
  const plump = random.between(0.86, 1.12)
  const by = -r * 1.02
  const head = { x: r * 0.52, y: by - r * 0.62, r: r * random.between(0.4, 0.5) }
  const body = `M${n(head.x + head.r * 0.9)} ${n(head.y + r * 0.1)}C${n(r * 1.15)} ${n(by + r * 0.4 * plump)} ${n(r * 0.5)} ${n(by + r * 0.98)} ${n(-r * 0.15)} ${n(by + r * 0.86)}Q${n(-r * 0.7)} ${n(by + r * 0.7)} ${n(-r * 1.05)} ${n(by + r * 0.5)}Q${n(-r * 0.5)} ${n(by - r * 0.5)} ${n(head.x - head.r * 0.9)} ${n(head.y - r * 0.05)}Z`
  const tail = Array.from({ length: 4 }, (_, i) =>
    path(
      `M${n(-r * 0.75)} ${n(by + r * 0.42)}L${n(-r * (1.75 - i * 0.08))} ${n(by + r * (0.62 + i * 0.15))}L${n(-r * (1.68 - i * 0.08))} ${n(by + r * (0.74 + i * 0.15))}L${n(-r * 0.66)} ${n(by + r * 0.66)}Z`,
      i % 2 ? back! : mix(back!, accent!, 0.5),
    ),
  ).join('')
  let art =
    tail +
    stroke(
      `M${n(-r * 0.1)} ${n(by + r * 0.8)}L${n(-r * 0.12)} 2M${n(r * 0.16)} ${n(by + r * 0.8)}L${n(r * 0.18)} 2`,
      accent!,
      r * 0.05,
    )
  art +=
    `<clipPath id="${id}"><path d="${body}"/></clipPath>` +
    path(body, back!) +
    `<g clip-path="url(#${id})">${disc(r * 0.42, by + r * 0.62, r * 0.92, belly!)}`
  const bars = random.whole(3, 6)
  for (let i = 0; i < bars; i++)
    art += stroke(
      `M${n(r * (0.1 + i * 0.15))} ${n(by + r * 1.1)}A${n(r)} ${n(r)} 0 0 0 ${n(r * (0.62 + i * 0.1))} ${n(by + r * 0.2)}`,
      accent!,
      r * 0.03,
      'stroke-dasharray="6 7" opacity="0.8"',
    )
  art +=
    '</g>' +
    disc(head.x, head.y, head.r, back!) +
    path(
      `M${n(head.x)} ${n(head.y)}L${n(head.x + head.r)} ${n(head.y)}A${n(head.r)} ${n(head.r)} 0 0 1 ${n(head.x - head.r * 0.3)} ${n(head.y + head.r * 0.95)}Z`,
      belly!,
    )
  art += path(
    `M${n(head.x + head.r * 0.86)} ${n(head.y - head.r * 0.3)}L${n(head.x + head.r * random.between(1.7, 2.4))} ${n(head.y + head.r * 0.06)}L${n(head.x + head.r * 0.86)} ${n(head.y + head.r * 0.34)}Z`,
    mix(accent!, '#e9a02c', 0.5),
  )
  if (random.chance(0.4))
    for (let i = 0; i < 3; i++)
      art += path(
        `M${n(head.x - head.r * 0.2)} ${n(head.y - head.r * 0.9)}L${n(head.x - head.r * (0.9 - i * 0.4))} ${n(head.y - head.r * (1.6 + i * 0.2))}L${n(head.x + head.r * 0.15)} ${n(head.y - head.r * 0.95)}Z`,
        accent!,
      )
  art +=
    disc(head.x + head.r * 0.3, head.y - head.r * 0.16, head.r * 0.3, lighter(belly!, 0.4)) +
    disc(head.x + head.r * 0.34, head.y - head.r * 0.16, head.r * 0.19, '#14141a') +
    disc(head.x + head.r * 0.4, head.y - head.r * 0.24, head.r * 0.06, '#ffffff')
  const layers = random.whole(4, 6)
  const wing = (s: number) =>
    `M${n(r * 0.34)} ${n(by - r * 0.12)}A${n(r * 0.72 * s)} ${n(r * 0.72 * s)} 0 0 1 ${n(r * 0.34 - r * 0.66 * s)} ${n(by + r * 0.62 * s)}L${n(r * 0.34 - r * 1.28 * s)} ${n(by + r * 0.56 * s)}Q${n(r * 0.34 - r * 0.86 * s)} ${n(by - r * 0.12)} ${n(r * 0.34)} ${n(by - r * 0.12)}Z`
  for (let i = 0; i < layers; i++)
    art += path(
      wing(1 - i * 0.17),
      [accent!, darker(back!, 0.25), belly!, mix(back!, accent!, 0.5), darker(back!, 0.1), accent!][i % 6]!,
    )
  const dark = darker(mix(back!, accent!, 0.5), 0.6)
  const spray =
    `<defs><linearGradient id="s${id}" x1="0.7" y1="0" x2="0.3" y2="1"><stop offset="0.4" stop-color="${dark}" stop-opacity="0"/><stop offset="1" stop-color="${dark}" stop-opacity="0.62"/></linearGradient></defs>` +
    path(body, `url(#s${id})`) +
    path(wing(1), `url(#s${id})`) +
    disc(head.x, head.y, head.r, `url(#s${id})`, 'opacity="0.6"')
  return { shapes: art, spray }
}

function branch(random: Random, set: Scene, width: number, y: number, size: number): string {
  const sag = random.between(-12, 12)
  let art = stroke(
    `M-20 ${n(y + 8)}Q${n(width / 2)} ${n(y + 8 + sag)} ${n(width + 20)} ${n(y + 6)}`,
    set.wood,
    Math.max(8, size * 0.11),
  )
  for (let i = 0; i < 12; i++) {
    const x = random.between(0, width)
    const up = random.chance(0.35) ? -1 : 1
    const long = size * random.between(0.35, 0.8)
    const lean = random.bell() * 0.5
    const tip = [x + Math.sin(lean) * long, y + 8 + Math.cos(lean) * long * up] as const
    art += stroke(`M${n(x)} ${n(y + 8)}L${n(tip[0])} ${n(tip[1])}`, set.wood, 3)
    for (const t of [0.4, 0.7, 1])
      for (const side of [-1, 1]) {
        const lx = x + (tip[0] - x) * t
        const ly = y + 8 + (tip[1] - y - 8) * t
        const s = size * 0.2
        art += path(
          `M${n(lx)} ${n(ly)}Q${n(lx + side * s * 0.2)} ${n(ly + up * s * 0.9)} ${n(lx + side * s)} ${n(ly + up * s * 0.7)}Q${n(lx + side * s * 0.9)} ${n(ly)} ${n(lx)} ${n(ly)}Z`,
          side > 0 ? set.leaf : darker(set.leaf, 0.18),
        )
      }
  }
  return art
}
