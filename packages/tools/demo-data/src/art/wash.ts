import { along, lighter, ramp } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL, WIDE } from './drawing.ts'
import { createNoise, layered } from './noise.ts'

const INKS: readonly (readonly string[])[] = [
  ['#f3ede0', '#cfe0dc', '#4d9fa0', '#14505c', '#0b1f2a', '#c8963e', '#f3ede0'],
  ['#f6e7da', '#f0b7a4', '#c8455b', '#591b3f', '#1c1230', '#e9a35b', '#f6e7da'],
  ['#11151f', '#27304f', '#5967a8', '#e6d9f0', '#ffffff', '#d86c8e', '#27203f'],
  ['#efe9dc', '#d8d2c4', '#8d8a84', '#2b2b2e', '#121214', '#b3262a', '#efe9dc'],
  ['#fbf2dc', '#f4d58d', '#ea9440', '#bf4a2b', '#5b1a22', '#214e5a', '#f7e6c4'],
  ['#0c1f1c', '#1d4d43', '#5ea17c', '#dff0c2', '#fbf7dd', '#e58a5b', '#163a36'],
  ['#e8eef4', '#a9c7e0', '#3f78b5', '#172f66', '#0b1533', '#ef6f54', '#f5e2cf'],
]

/** Marbled ink on paper. */
export const wash: Family = {
  raster: true,
  shapes: [PORTRAIT, TALL, SQUARE, WIDE],
  draw(random, { width, height }) {
    const inks = random.inTurn(INKS)
    const table = ramp(inks.map((ink, i) => (i % 2 ? ink : lighter(ink, 0.05))))
    const gold = ramp([along(inks, 0.84), lighter(along(inks, 0.84), 0.55)])
    const noise = createNoise(random)
    const slow = layered(noise, 3)
    const scale = random.between(1.1, 2.2) / width
    const pull = random.between(0.7, 1.7)
    const lean = random.between(-0.9, 0.9)
    const bands = random.between(0.75, 1.9)
    const shift = random.unit()
    const columns = Math.ceil(width / 2) + 1
    const rows = Math.ceil(height / 2) + 1
    const field = new Float32Array(columns * rows)
    for (let y = 0, i = 0; y < rows; y++)
      for (let x = 0; x < columns; x++, i++) {
        const u = x * 2 * scale
        const v = y * 2 * scale
        const a = slow(u, v)
        const b = noise(u * 1.3 + 5.2 + a * 1.7, v * 1.3 + 1.3 + a)
        const c = noise(u + b * pull + 9.1, v + a * pull * 1.6 + 3.7)
        field[i] = c * 0.62 + a * 0.5 + b * 0.16 + (u * lean + v) * 0.16
      }
    const pixels = new Uint8ClampedArray(width * height * 3)
    for (let y = 0, p = 0; y < height; y++) {
      const fy = (y & 1) / 2
      const row = (y >> 1) * columns
      for (let x = 0; x < width; x++, p += 3) {
        const fx = (x & 1) / 2
        const at = row + (x >> 1)
        const upper = field[at]! + (field[at + 1]! - field[at]!) * fx
        const lower = field[at + columns]! + (field[at + columns + 1]! - field[at + columns]!) * fx
        const value = upper + (lower - upper) * fy
        const wave = (value + shift + 4) * bands
        const turn = wave - Math.floor(wave)
        const tone = turn < 0.5 ? turn * 2 : 2 - turn * 2
        const line = Math.abs(((value * bands * 5.5 + 50) % 1) - 0.5)
        const spot = Math.min(1023, Math.floor(tone * 1023)) * 3
        const fine = line < 0.045 && tone > 0.2 ? 1 - line / 0.045 : 0
        const shade = 0.94 + 0.1 * Math.min(1, line * 2.4)
        const leaf = Math.floor(((upper * 3 + 30) % 1) * 1023) * 3
        for (let c = 0; c < 3; c++) {
          const base = table[spot + c]! * shade
          pixels[p + c] = base + (gold[leaf + c]! - base) * fine * 0.75
        }
      }
    }
    return { width, height, pixels, finish: { grain: 0.12, paper: 1.2 } }
  },
}
