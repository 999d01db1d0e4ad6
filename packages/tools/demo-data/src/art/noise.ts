import type { Random } from './random.ts'

type Noise = (x: number, y: number) => number

const SIZE = 256
const MASK = SIZE - 1

/** Smooth two-dimensional noise, -1 … 1, with features of about one unit. */
export function createNoise(random: Random): Noise {
  const lattice = new Float32Array(SIZE * SIZE)
  for (let i = 0; i < lattice.length; i++) lattice[i] = random.unit() * 2 - 1
  return (x, y) => {
    const xi = Math.floor(x)
    const yi = Math.floor(y)
    const fx = x - xi
    const fy = y - yi
    const u = fx * fx * (3 - 2 * fx)
    const v = fy * fy * (3 - 2 * fy)
    const left = xi & MASK
    const right = (xi + 1) & MASK
    const top = (yi & MASK) * SIZE
    const bottom = ((yi + 1) & MASK) * SIZE
    const a = lattice[top + left]!
    const c = lattice[bottom + left]!
    const upper = a + (lattice[top + right]! - a) * u
    const lower = c + (lattice[bottom + right]! - c) * u
    return upper + (lower - upper) * v
  }
}

/** Several octaves of noise, about -1 … 1. */
export function layered(noise: Noise, octaves: number): Noise {
  return (x, y) => {
    let sum = 0
    let weight = 0.5
    let scale = 1
    for (let i = 0; i < octaves; i++) {
      sum += noise(x * scale + i * 17.3, y * scale + i * 31.7) * weight
      weight *= 0.5
      scale *= 2.03
    }
    return sum
  }
}
