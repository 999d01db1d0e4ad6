import { darker, lighter, ramp } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import type { Random } from './random.ts'
import { type Bead, type Canvas, COARSE, paintTube, shadeAt, shadowOf } from './tube-painter.ts'

/** Loops of glossy tube in space, lit from the upper left. */
export const tubes: Family = {
  raster: true,
  shapes: [PORTRAIT, SQUARE, TALL],
  draw(random, { width, height }) {
    const { ground, skins } = random.inTurn(SETS)
    const count = random.pick([1, 1, 2, 3])
    const radius = width * (count === 1 ? random.between(0.07, 0.1) : random.between(0.042, 0.06))
    const order = random.shuffled(skins)
    const lines = Array.from({ length: count }, () => loop(random, width, height, radius, count))
    const pixels = backdrop(random, width, height, ground, shadowOf(lines, radius, width, height))
    const canvas: Canvas = { pixels, width, height, depth: new Float32Array(width * height).fill(-1e6) }
    lines.forEach((line, i) => {
      const stripes = random.pick(count === 1 ? [9, 16, 26] : [0, 0, 9, 16, 26])
      paintTube(canvas, line, {
        radius,
        stripes,
        skin: ramp(order[i % order.length]!),
        second: ramp(order[(i + 1) % order.length]!),
      })
    })
    return { width, height, pixels, finish: { grain: 0.1, vignette: 0.2 } }
  },
}

const SETS: readonly { ground: readonly string[]; skins: readonly (readonly string[])[] }[] = [
  {
    ground: ['#f6d9c6', '#eaa98f'],
    skins: [
      ['#ff5a36', '#ff9f5a', '#ffd9a0'],
      ['#5b2a86', '#a04fb0', '#f2a7c3'],
      ['#fff3e0', '#ffe0c0', '#fff8ee'],
    ],
  },
  {
    ground: ['#1a1d3a', '#0b0c1c'],
    skins: [
      ['#3d5afe', '#36d1dc', '#c7fff4'],
      ['#ff3d81', '#ff8a5c', '#ffe07a'],
      ['#f4f1ff', '#b9b4ff', '#8f86ff'],
    ],
  },
  {
    ground: ['#d7e6df', '#93bdb0'],
    skins: [
      ['#0f5257', '#1f9a8a', '#9be3c0'],
      ['#f4a259', '#f7c873', '#fdeeb5'],
      ['#cc1f3d', '#ff5450', '#ffae85'],
    ],
  },
  {
    ground: ['#f2e9d8', '#d8c6a3'],
    skins: [
      ['#1d2433', '#3a4a68', '#8ea3bd'],
      ['#a80f3c', '#e0314f', '#ff9a6a'],
      ['#edae49', '#f8d27a', '#fff0c4'],
    ],
  },
  {
    ground: ['#2b1330', '#120616'],
    skins: [
      ['#d8f171', '#7ddf64', '#2fbf9b'],
      ['#ff7ad9', '#a86bff', '#5b6bff'],
      ['#fff2d6', '#ffc9a3', '#ff5450'],
    ],
  },
  {
    ground: ['#c9d9f2', '#8aa5dc'],
    skins: [
      ['#1b3fa0', '#3f7bf0', '#a9d4ff'],
      ['#d42a2a', '#ff6242', '#ffc070'],
      ['#ffd84d', '#ffe98f', '#fffbe0'],
    ],
  },
]

function backdrop(
  random: Random,
  width: number,
  height: number,
  [inner, outer]: readonly string[],
  shade: Float32Array,
): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(width * height * 3)
  const table = ramp([lighter(inner!, 0.2), inner!, outer!, darker(outer!, 0.12)])
  const cx = width * random.between(0.3, 0.6)
  const cy = height * random.between(0.2, 0.5)
  const reach = Math.hypot(width, height) * 0.8
  const columns = Math.ceil(width / COARSE) + 2
  for (let y = 0, p = 0; y < height; y++)
    for (let x = 0; x < width; x++, p += 3) {
      const at = Math.min(1023, Math.floor((Math.sqrt((x - cx) * (x - cx) + (y - cy) * (y - cy)) / reach) * 1023)) * 3
      const light = shadeAt(shade, x, y, columns)
      pixels[p] = table[at]! * light
      pixels[p + 1] = table[at + 1]! * light
      pixels[p + 2] = table[at + 2]! * light
    }
  return pixels
}

/** A closed curve of three waves with whole frequencies. */
function loop(random: Random, width: number, height: number, radius: number, count: number): Bead[] {
  const [a, b, c] = random.pick([
    [2, 3, 5],
    [1, 2, 3],
    [3, 2, 4],
    [2, 5, 3],
    [3, 4, 2],
  ])
  const [p, q, r] = [random.between(0, 6.28), random.between(0, 6.28), random.between(0, 6.28)]
  const size = count === 1 ? 1 : random.between(0.75, 1)
  const rx = (width / 2 - radius * 1.5) * size
  const ry = (height / 2 - radius * 1.5) * size
  const cx = width / 2 + (1 - size) * width * random.between(-0.4, 0.4)
  const cy = height / 2 + (1 - size) * height * random.between(-0.4, 0.4)
  const second = random.between(0.15, 0.35)
  const beads: Bead[] = []
  const total = 140
  for (let i = 0; i <= total; i++) {
    const t = (i / total) * Math.PI * 2
    const x = Math.sin(a! * t + p!) * (1 - second) + Math.sin(b! * t + q!) * second
    const y = Math.cos(b! * t + q!) * (1 - second) + Math.cos(c! * t + r!) * second
    const z = Math.sin(c! * t + r!) + Math.cos(a! * t + q!) * 0.5
    beads.push({ x: cx + x * rx, y: cy + y * ry, z: z * radius * 3 })
  }
  return beads
}
