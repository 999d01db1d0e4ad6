import { mix } from './colour.ts'
import type { Random } from './random.ts'
import { disc, n } from './svg.ts'

/** The colours of a time of day: sky, clouds from light to shade, and land. */
export type Hour = { top: string; low: string; white: string; tone: string; shade: string; land: string; stars: number }

/** A cloud of discs, drawn four times from shade to light, each time smaller and nearer to the sun. */
export function cloud(random: Random, hour: Hour, x: number, base: number, wide: number, tall: number): string {
  const puffs: [number, number, number][] = []
  const heaps = random.whole(3, 5)
  for (let h = 0; h < heaps; h++) {
    const hx = x + random.between(-0.36, 0.36) * wide
    const peak = tall * (h === 0 ? 1 : random.between(0.4, 0.8))
    const spread = wide * random.between(0.13, 0.22)
    for (let i = 0; i < 26; i++) {
      const up = random.unit()
      const r = tall * (0.055 + 0.085 * (1 - up) + random.between(0, 0.045))
      puffs.push([hx + random.bell() * spread * (1.15 - up * 0.75), base - peak * up, r])
    }
  }
  for (let i = 0; i < 16; i++)
    puffs.push([
      x + random.between(-0.5, 0.5) * wide,
      base - tall * random.between(0, 0.1),
      tall * random.between(0.06, 0.13),
    ])
  puffs.sort((a, b) => a[1] - b[1])
  const layer = (colour: string, dx: number, dy: number, size: number, keep: number) =>
    `<g fill="${colour}">${puffs
      .filter((_, i) => (i * 7) % 10 < keep * 10)
      .map(([px, py, r]) => `<circle cx="${n(px + dx * r)}" cy="${n(py + dy * r)}" r="${n(r * size)}"/>`)
      .join('')}</g>`
  let art = ''
  const bands = 3
  for (let b = 0; b < bands; b++) {
    const low = base - tall * (1 - b / bands)
    const part = puffs.filter(([, py]) => py <= low + tall / bands && (b === 0 || py > low - tall * 0.04))
    const some = (colour: string, dx: number, dy: number, size: number, skip: number) =>
      `<g fill="${colour}">${part
        .filter((_, i) => i % skip !== 1 || skip === 1)
        .map(([px, py, r]) => `<circle cx="${n(px + dx * r)}" cy="${n(py + dy * r)}" r="${n(r * size)}"/>`)
        .join('')}</g>`
    const dim = b * 0.12
    art +=
      some(mix(hour.shade, hour.low, dim), 0.1, 0.16, 1, 1) +
      some(mix(hour.tone, hour.low, dim), -0.12, -0.12, 0.86, 1) +
      some(mix(hour.white, hour.low, dim), -0.24, -0.28, 0.62, 3)
  }
  return layer(mix(hour.shade, hour.low, 0.25), 0.16, 0.22, 1.05, 1) + art
}

export function streak(random: Random, width: number, height: number, hour: Hour): string {
  const y = height * random.between(0.06, 0.5)
  const x = random.between(-0.1, 0.8) * width
  const w = width * random.between(0.2, 0.5)
  return `<path d="M${n(x)} ${n(y)}Q${n(x + w * 0.5)} ${n(y - 14)} ${n(x + w)} ${n(y - 4)}Q${n(x + w * 0.5)} ${n(y + 9)} ${n(x)} ${n(y)}Z" fill="${hour.white}" opacity="${n(random.between(0.2, 0.6))}"/>`
}

export function comet(random: Random, width: number, height: number): string {
  const x = random.between(0.2, 1) * width
  const y = random.between(0.05, 0.4) * height
  const long = random.between(70, 190)
  return (
    `<path d="M${n(x)} ${n(y)}l${n(long)} ${n(-long * 0.55)}l${n(-long + 3)} ${n(long * 0.55 + 3)}Z" fill="#ffffff" opacity="0.85"/>` +
    disc(x, y + 1, 2.6, '#ffffff')
  )
}
