import sharp from 'sharp'
import type { Finish, Size } from './drawing.ts'
import { createNoise } from './noise.ts'
import { createRandom, type Random } from './random.ts'

const TILE = 512
const GRAIN = tile((random) => random.bell() * 60)
const DOTS = tile((random) => random.unit() * 255)
const FIBRES = fibres()

function tile(value: (random: Random) => number): Float32Array {
  const random = createRandom('tile')
  return Float32Array.from({ length: TILE * TILE }, () => value(random))
}

function fibres(): Float32Array {
  const noise = createNoise(createRandom('fibres'))
  return Float32Array.from({ length: TILE * TILE }, (_, i) => {
    const x = i % TILE
    const y = Math.floor(i / TILE)
    return noise(x / 2, y / 2) * 7 + noise(x / 1.5, y / 16) * 5 + noise(x / 16, y / 2) * 5
  })
}

/** Blends shapes (RGBA) over the image; `sprayed` turns transparency into dots. */
export function lay(pixels: Uint8ClampedArray, layer: Uint8Array, sprayed: boolean, width: number): void {
  for (let i = 0, p = 0, q = 0; q < layer.length; i++, p += 3, q += 4) {
    let alpha = layer[q + 3]!
    if (alpha === 0) continue
    if (sprayed && alpha < 255) {
      const row = Math.floor(i / width)
      alpha = (alpha - DOTS[((row & 511) << 9) | ((i - row * width) & 511)]!) * 3 + 127
      if (alpha <= 0) continue
      if (alpha > 255) alpha = 255
    }
    const share = alpha / 255
    pixels[p]! += (layer[q]! - pixels[p]!) * share
    pixels[p + 1]! += (layer[q + 1]! - pixels[p + 1]!) * share
    pixels[p + 2]! += (layer[q + 2]! - pixels[p + 2]!) * share
  }
}

/** Grain, paper and darker corners, in one pass. */
export function texture(pixels: Uint8ClampedArray, { width, height }: Size, finish: Finish): void {
  const { grain, paper = 0, vignette = 0 } = finish
  for (let y = 0, p = 0; y < height; y++) {
    const row = ((y * 7 + (y >> 9) * 101) & 511) << 9
    const straight = (y & 511) << 9
    const dy = (y / height - 0.5) * 2
    for (let x = 0; x < width; x++, p += 3) {
      const add = GRAIN[row | ((x + y * 3) & 511)]! * grain + FIBRES[straight | (x & 511)]! * paper
      const dx = (x / width - 0.5) * 2
      const far = (dx * dx + dy * dy) * 0.5
      const light = 1 - vignette * far * far
      pixels[p] = pixels[p]! * light + add
      pixels[p + 1] = pixels[p + 1]! * light + add
      pixels[p + 2] = pixels[p + 2]! * light + add
    }
  }
}

/** Adds a downscaled, blurred copy of the bright areas. */
export async function bloom(pixels: Uint8ClampedArray, { width, height }: Size, strength: number): Promise<void> {
  const raw = { width, height, channels: 3 as const }
  const small = { width: Math.round(width / 8), height: Math.round(height / 8) }
  const glow = await sharp(pixels, { raw })
    .resize({ ...small, fit: 'fill', kernel: 'linear' })
    .linear(1.25, -45)
    .blur(5)
    .raw()
    .toBuffer()
  const { width: columns, height: rows } = small
  const share = strength / 255
  for (let y = 0, p = 0; y < height; y++) {
    const gy = Math.min(rows - 1.001, Math.max(0, (y + 0.5) / 8 - 0.5))
    const top = Math.floor(gy)
    const fy = gy - top
    const row = top * columns * 3
    for (let x = 0; x < width; x++, p += 3) {
      const gx = Math.min(columns - 1.001, Math.max(0, (x + 0.5) / 8 - 0.5))
      const left = Math.floor(gx)
      const fx = gx - left
      const at = row + left * 3
      const below = at + columns * 3
      const a = (1 - fx) * (1 - fy)
      const b = fx * (1 - fy)
      const c = (1 - fx) * fy
      const d = fx * fy
      for (let k = 0; k < 3; k++) {
        const light = glow[at + k]! * a + glow[at + 3 + k]! * b + glow[below + k]! * c + glow[below + 3 + k]! * d
        pixels[p + k]! += (255 - pixels[p + k]!) * light * share
      }
    }
  }
}
