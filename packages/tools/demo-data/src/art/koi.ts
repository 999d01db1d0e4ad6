import { darker, mix } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { swim } from './koi-fish.ts'
import type { Random } from './random.ts'
import { disc, n, path, radial, stroke } from './svg.ts'

const PONDS = [
  {
    deep: '#0d2b33',
    shallow: '#1f5a5e',
    ripple: '#bfe3d8',
    skins: [
      ['#f7f1e5', '#e4502b'],
      ['#f0a83c', '#fbe3b2'],
      ['#f7f1e5', '#22252b'],
    ],
    leaf: '#2d6b4f',
  },
  {
    deep: '#efe6d4',
    shallow: '#fbf6ea',
    ripple: '#7f8f8c',
    skins: [
      ['#fffdf6', '#d43c28'],
      ['#2b3440', '#d8dbd6'],
      ['#e2703a', '#fff1dc'],
    ],
    leaf: '#9db59a',
  },
  {
    deep: '#11132b',
    shallow: '#2c3170',
    ripple: '#c9cdf5',
    skins: [
      ['#fff4ea', '#ff5a4f'],
      ['#ffc44d', '#fff0c9'],
      ['#dfe6ff', '#3b47b8'],
    ],
    leaf: '#37508c',
  },
  {
    deep: '#2a4d3e',
    shallow: '#7fa886',
    ripple: '#f2f7df',
    skins: [
      ['#fffaf0', '#ee6c2f'],
      ['#f6c34a', '#fffaf0'],
      ['#26302c', '#f0ead8'],
    ],
    leaf: '#184034',
  },
  {
    deep: '#c8553d',
    shallow: '#ef9a6b',
    ripple: '#fff0dc',
    skins: [
      ['#fff7ea', '#1f2a44'],
      ['#1f2a44', '#f3d9b8'],
      ['#fff7ea', '#9c1f2e'],
    ],
    leaf: '#8f3a33',
  },
]

/** Koi from above, circling one another. */
export const koi: Family = {
  shapes: [PORTRAIT, TALL, SQUARE],
  draw(random, { width, height }) {
    const pond = random.inTurn(PONDS)
    const defs = radial('water', [random.between(0.3, 0.7), random.between(0.25, 0.6)], 0.85, [
      [0, pond.shallow],
      [1, pond.deep],
    ])
    let shapes = `<defs>${defs}</defs><rect width="100%" height="100%" fill="url(#water)"/>`
    const rings = random.whole(3, 5)
    for (let i = 0; i < rings; i++) {
      const x = random.between(0, width)
      const y = random.between(0, height)
      for (let r = 1; r < random.whole(5, 9); r++)
        shapes += disc(
          x,
          y,
          r * r * 5 + r * 20,
          'none',
          `stroke="${pond.ripple}" stroke-width="${n(2.6 - r * 0.2)}" opacity="${n(Math.max(0.1, 0.5 - r * 0.05))}"`,
        )
    }
    const count = random.whole(3, 6)
    const turn = random.chance(0.5) ? 1 : -1
    const start = random.between(0, 6.28)
    let spray = ''
    for (let i = 0; i < count; i++) {
      const a = start + (i / count) * Math.PI * 2 + random.bell() * 0.15
      const far = Math.min(width, height) * (count < 4 ? 0.25 : random.between(0.27, 0.36))
      const x = width / 2 + Math.cos(a) * far * (width < height ? 0.95 : 1.1)
      const y = height / 2 + Math.sin(a) * far * (height / width)
      const long = width * (count < 4 ? random.between(0.5, 0.62) : random.between(0.36, 0.5))
      const fish = swim(
        random,
        { x, y, heading: a + turn * (Math.PI / 2 + 0.2), long, bend: turn * random.between(0.5, 1.3) },
        random.pick(pond.skins),
        pond.deep,
      )
      shapes += fish.shapes
      spray += fish.spray
    }
    for (let i = 0; i < random.whole(2, 6); i++) shapes += leaf(random, width, height, pond.leaf)
    return { width, height, shapes, spray, finish: { grain: 0.12, paper: 1.1, vignette: 0.15 } }
  },
}

function leaf(random: Random, width: number, height: number, colour: string): string {
  const side = random.chance(0.5)
  const x = side ? random.pick([0.02, 0.98]) * width : random.between(0, width)
  const y = side ? random.between(0, height) : random.pick([0.02, 0.98]) * height
  const r = width * random.between(0.06, 0.15)
  const a = random.between(0, 360)
  const veins = Array.from(
    { length: 9 },
    (_, i) => `M0 0L${n(Math.cos(i * 0.66 + 0.5) * r * 0.92)} ${n(Math.sin(i * 0.66 + 0.5) * r * 0.92)}`,
  ).join('')
  const pad = `M0 0L${n(r * Math.cos(0.18))} ${n(r * Math.sin(0.18))}A${n(r)} ${n(r)} 0 1 1 ${n(r * Math.cos(-0.18))} ${n(r * Math.sin(-0.18))}Z`
  return `<g transform="translate(${n(x)} ${n(y)}) rotate(${n(a)})"><path d="${pad}" transform="translate(8 14)" opacity="0.2"/>${path(pad, mix(colour, '#ffffff', random.between(0, 0.12)))}${stroke(veins, darker(colour, 0.3), 2, 'opacity="0.5"')}</g>`
}
