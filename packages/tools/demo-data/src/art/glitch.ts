import { lighter, mix } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'

import { box, disc, linear, n, path, radial } from './svg.ts'

const SIGNALS = [
  ['#08081a', '#3a0ca3', '#f72585', '#4cc9f0', '#fff3f8'],
  ['#04130f', '#0b6e4f', '#d7ff5a', '#ff6b35', '#f4ffe0'],
  ['#140612', '#b5179e', '#ff8500', '#ffd60a', '#fff7e0'],
  ['#050a1f', '#0047ff', '#00e5ff', '#ff2e63', '#f2fbff'],
  ['#111111', '#4a4a58', '#ff4d3d', '#f2eee6', '#ffffff'],
]

/** A face, a sun or a shrine with signal errors: stretched, shifted, pixels sorted by brightness. */
export const glitch: Family = {
  raster: true,
  shapes: [PORTRAIT, TALL, SQUARE],
  draw(random, { width, height }) {
    const [dark, deep, hot, cold, pale] = random.inTurn(SIGNALS) as [string, string, string, string, string]
    let defs = linear(
      'sky',
      [0, 0],
      [0, 1],
      [
        [0, dark],
        [0.5, deep],
        [1, dark],
      ],
    )
    defs += linear(
      'sun',
      [0, 0],
      [0.3, 1],
      [
        [0, pale],
        [0.4, hot],
        [1, deep],
      ],
    )
    defs += radial('ball', [0.35, 0.3], 0.8, [
      [0, pale],
      [0.35, cold],
      [0.75, deep],
      [1, dark],
    ])
    defs += linear(
      'bust',
      [0.9, 0.1],
      [0.2, 1],
      [
        [0, deep],
        [0.5, dark],
        [1, deep],
      ],
    )
    let shapes = '<rect width="100%" height="100%" fill="url(#sky)"/>'
    for (let i = 0; i < 26; i++)
      shapes += box(0, (i / 26) * height, width, random.between(1, 3), mix(deep, cold, random.unit()), 'opacity="0.35"')
    const cx = width / 2
    const kind = random.pick(['bust', 'bust', 'orb', 'gate'])
    const r = width * random.between(0.26, 0.33)
    shapes += disc(cx + width * random.between(-0.1, 0.1), height * 0.4, r * 1.15, 'url(#sun)')
    if (kind === 'orb')
      for (let i = 0; i < 5; i++)
        shapes += disc(
          cx + random.bell() * width * 0.2,
          height * random.between(0.3, 0.75),
          r * random.between(0.3, 0.85),
          'url(#ball)',
        )
    if (kind === 'bust') shapes += bust(cx, height, width * 0.0095, cold, hot)
    if (kind === 'gate')
      for (let i = 0; i < 7; i++)
        shapes += gate(
          cx,
          height * (0.98 - i * 0.03),
          width * 0.42 * 0.76 ** i,
          i % 2 ? hot : mix(hot, dark, 0.35),
          i % 2 ? cold : pale,
        )
    const tears = Array.from({ length: random.whole(9, 18) }, () => ({
      y: random.between(0, height),
      tall: random.between(4, 70) * random.unit(),
      dx: Math.round(random.bell() * width * 0.14),
      split: random.whole(4, 22),
    }))
    const sort = {
      low: random.between(50, 85),
      share: random.between(0.3, 0.65),
      start: random.between(0.2, 0.5),
      upward: random.chance(0.35),
    }
    const chances = Float32Array.from({ length: width }, () => random.unit())
    return {
      width,
      height,
      shapes: `<defs>${defs}</defs>${shapes}`,
      disturb: (pixels) => {
        melt(pixels, width, height, sort, chances)
        tear(pixels, width, height, tears)
        scan(pixels, width, height)
      },
      finish: { grain: 0.2, bloom: 0.4, vignette: 0.2 },
    }
  },
}

/** Head and shoulders in profile. */
function bust(cx: number, height: number, u: number, cold: string, hot: string): string {
  const y = height * 0.98
  const d = `M${n(cx - 42 * u)} ${n(y + 9)}Q${n(cx - 40 * u)} ${n(y - 24 * u)} ${n(cx - 14 * u)} ${n(y - 30 * u)}L${n(cx - 13 * u)} ${n(y - 44 * u)}Q${n(cx - 30 * u)} ${n(y - 62 * u)} ${n(cx - 22 * u)} ${n(y - 84 * u)}Q${n(cx - 10 * u)} ${n(y - 104 * u)} ${n(cx + 12 * u)} ${n(y - 98 * u)}Q${n(cx + 25 * u)} ${n(y - 92 * u)} ${n(cx + 24 * u)} ${n(y - 78 * u)}L${n(cx + 24 * u)} ${n(y - 74 * u)}L${n(cx + 31 * u)} ${n(y - 62 * u)}L${n(cx + 26 * u)} ${n(y - 59 * u)}L${n(cx + 27 * u)} ${n(y - 54 * u)}L${n(cx + 24 * u)} ${n(y - 52 * u)}L${n(cx + 25 * u)} ${n(y - 47 * u)}Q${n(cx + 20 * u)} ${n(y - 40 * u)} ${n(cx + 8 * u)} ${n(y - 43 * u)}L${n(cx + 9 * u)} ${n(y - 30 * u)}Q${n(cx + 38 * u)} ${n(y - 24 * u)} ${n(cx + 42 * u)} ${n(y + 9)}Z`
  const visor = `M${n(cx + 2 * u)} ${n(y - 78 * u)}L${n(cx + 26 * u)} ${n(y - 77 * u)}L${n(cx + 27 * u)} ${n(y - 68 * u)}L${n(cx + 5 * u)} ${n(y - 68 * u)}Z`
  return (
    path(d, 'url(#bust)') +
    path(d, 'none', `stroke="${cold}" stroke-width="5"`) +
    path(visor, hot) +
    disc(cx - 8 * u, y - 70 * u, 5 * u, lighter(hot, 0.4))
  )
}

function gate(cx: number, y: number, w: number, colour: string, edge: string): string {
  const t = w * 0.09
  return (
    box(cx - w * 0.8, y - w * 1.7, t, w * 1.7, colour) +
    box(cx + w * 0.8 - t, y - w * 1.7, t, w * 1.7, colour) +
    box(cx - w * 0.95, y - w * 1.45, w * 1.9, t * 0.8, colour) +
    path(
      `M${n(cx - w * 1.12)} ${n(y - w * 1.85)}Q${n(cx)} ${n(y - w * 1.72)} ${n(cx + w * 1.12)} ${n(y - w * 1.85)}L${n(cx + w * 1.06)} ${n(y - w * 1.68)}Q${n(cx)} ${n(y - w * 1.58)} ${n(cx - w * 1.06)} ${n(y - w * 1.68)}Z`,
      colour,
      `stroke="${edge}" stroke-width="3"`,
    )
  )
}

type Melt = { low: number; share: number; start: number; upward: boolean }

/** Pixel sorting: in some columns the bright pixels are ordered by brightness. */
function melt(
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
  { low, share, start, upward }: Melt,
  chances: Float32Array,
): void {
  const keys = new Float64Array(height)
  let run = 0
  for (let x = 0; x < width; x++) {
    if (x % 6 === 0) run = chances[x]! < share ? chances[x]! / share : 1
    if (run === 1) continue
    let y = Math.floor(height * (start + run * 0.3))
    const end = Math.min(height, Math.floor(y + height * (0.15 + run * 0.5)))
    while (y < end) {
      const from = y
      let length = 0
      while (y < end && length < 380) {
        const p = (y * width + x) * 3
        const light = pixels[p]! * 0.3 + pixels[p + 1]! * 0.55 + pixels[p + 2]! * 0.15
        if (light < low) break
        keys[length++] = Math.floor(light) * 16777216 + (pixels[p]! << 16) + (pixels[p + 1]! << 8) + pixels[p + 2]!
        y++
      }
      const part = keys.subarray(0, length).sort()
      for (let i = 0; i < length; i++) {
        const colour = part[upward ? i : length - 1 - i]! % 16777216
        const p = ((from + i) * width + x) * 3
        pixels[p] = colour >> 16
        pixels[p + 1] = (colour >> 8) & 255
        pixels[p + 2] = colour & 255
      }
      y++
    }
  }
}

type Tear = { y: number; tall: number; dx: number; split: number }

function tear(pixels: Uint8ClampedArray, width: number, height: number, tears: readonly Tear[]): void {
  for (const { y, tall, dx, split } of tears)
    for (let row = Math.floor(y); row < Math.min(height, y + tall); row++) {
      const line = pixels.slice(row * width * 3, (row + 1) * width * 3)
      for (let x = 0; x < width; x++)
        for (let c = 0; c < 3; c++) {
          const from = (((x - dx - (c - 1) * split) % width) + width) % width
          pixels[(row * width + x) * 3 + c] = line[from * 3 + c]!
        }
    }
}

function scan(pixels: Uint8ClampedArray, width: number, height: number): void {
  for (let y = 0; y < height; y += 4) for (let p = y * width * 3; p < (y + 1) * width * 3; p++) pixels[p]! *= 0.72
}
