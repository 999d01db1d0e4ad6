import { darker, lighter, mix } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { closed, disc, type Point, path, radial } from './svg.ts'

const LIGHTS: readonly (readonly string[])[] = [
  ['#0a1f6b', '#1246c4', '#7a1fa2', '#e0245e', '#ff9f1c'],
  ['#05324a', '#0b7a75', '#2fb56a', '#f2c230', '#e4572e'],
  ['#3a0a3f', '#a3123c', '#e4432d', '#f7a325', '#fde27a'],
  ['#0c1a52', '#2450b8', '#1fa3c9', '#8fe0c0', '#f6f0b4'],
  ['#0f3d2e', '#1f7a3f', '#a6c13a', '#f4b52e', '#d9442f'],
  ['#220a52', '#5a22b0', '#c13fc4', '#ff6f91', '#ffc36b'],
  ['#101f3d', '#b3202c', '#e8a01e', '#1f6f9c', '#f3e2b3'],
]

/** A stained-glass window with a light behind one pane. */
export const glass: Family = {
  shapes: [TALL, PORTRAIT, SQUARE],
  draw(random, { width, height }) {
    const colours = random.inTurn(LIGHTS)
    const accent = lighter(random.pick(['#ffd35c', '#ff8a5c', '#fff1c2', '#7fe3d2']), 0.1)
    const count = random.pick([90, 140, 200])
    const heart: Point = [width * random.between(0.3, 0.7), height * random.between(0.25, 0.6)]
    const rings = random.chance(0.5)
    const reach = Math.hypot(width, height)
    const seeds: Point[] = []
    for (let i = 0; i < count; i++) {
      if (rings) {
        const a = i * 2.39996 + random.bell() * 0.12
        const far = Math.sqrt((i + 0.6) / count) * reach * 0.66
        seeds.push([heart[0] + Math.cos(a) * far, heart[1] + Math.sin(a) * far])
      } else {
        let best: Point = [0, 0]
        let room = -1
        for (let k = 0; k < 5; k++) {
          const p: Point = [random.between(-20, width + 20), random.between(-20, height + 20)]
          const near = seeds.reduce((least, s) => Math.min(least, Math.hypot(s[0] - p[0], s[1] - p[1])), 1e9)
          if (near > room) [best, room] = [p, near]
        }
        seeds.push(best)
      }
    }
    const sun = Math.min(width, height) * random.between(0.14, 0.24)
    const lead = '#15131a'
    let shapes = `<rect width="100%" height="100%" fill="${lead}"/>`
    seeds.forEach((seed, i) => {
      const pane = cellOf(seed, seeds, i, width, height)
      if (pane.length < 3) return
      const inset = pane.map(([x, y]): Point => [x + (seed[0] - x) * 0.02, y + (seed[1] - y) * 0.02])
      const far = Math.hypot(seed[0] - heart[0], seed[1] - heart[1])
      const base =
        far < sun
          ? accent
          : random.chance(0.22)
            ? random.pick(colours)
            : colours[Math.min(4, Math.max(0, Math.round((1 - far / (reach * 0.6)) * 4 + random.bell() * 0.7)))]!
      const colour = random.chance(0.06) ? accent : base
      const angle = random.unit()
      const id = `g${i}`
      shapes += `<linearGradient id="${id}" x1="${angle.toFixed(2)}" y1="0" x2="${(1 - angle).toFixed(2)}" y2="1"><stop offset="0" stop-color="${lighter(colour, 0.14)}"/><stop offset="1" stop-color="${mix(colour, darker(colour, 0.4), random.unit())}"/></linearGradient>`
      shapes += path(closed(inset), `url(#${id})`, `stroke="${lead}" stroke-width="7" stroke-linejoin="round"`)
    })
    const glow = `<defs>${radial('glow', [0.5, 0.5], 0.5, [
      [0, '#fff6dc', 0.4],
      [0.4, '#fff6dc', 0.1],
      [1, '#fff6dc', 0],
    ])}</defs>`
    shapes += glow + disc(heart[0], heart[1], sun * 2.6, 'url(#glow)')
    return { width, height, shapes, finish: { grain: 0.2, bloom: 0.22, vignette: 0.3 } }
  },
}

/** The Voronoi cell of a seed: the window, clipped by the bisector with every other seed. */
function cellOf(seed: Point, seeds: readonly Point[], self: number, width: number, height: number): Point[] {
  let pane: Point[] = [
    [14, 14],
    [width - 14, 14],
    [width - 14, height - 14],
    [14, height - 14],
  ]
  for (let i = 0; i < seeds.length; i++) {
    if (i === self) continue
    const [ox, oy] = seeds[i]!
    const nx = ox - seed[0]
    const ny = oy - seed[1]
    const limit = (ox * ox + oy * oy - seed[0] * seed[0] - seed[1] * seed[1]) / 2
    const cut: Point[] = []
    for (let k = 0; k < pane.length; k++) {
      const a = pane[k]!
      const b = pane[(k + 1) % pane.length]!
      const da = a[0] * nx + a[1] * ny - limit
      const db = b[0] * nx + b[1] * ny - limit
      if (da <= 0) cut.push(a)
      if (da <= 0 !== db <= 0)
        cut.push([a[0] + ((b[0] - a[0]) * da) / (da - db), a[1] + ((b[1] - a[1]) * da) / (da - db)])
    }
    pane = cut
  }
  return pane
}
