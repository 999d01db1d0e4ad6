import { along, darker, lighter, mix } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL, WIDE } from './drawing.ts'
import type { Random } from './random.ts'
import { box, disc, linear, n, path, radial } from './svg.ts'

const NIGHTS = [
  {
    sky: ['#0b0a24', '#2a1458', '#8a1f7a', '#ff5d7d'],
    lights: ['#ffd166', '#ff7ad9', '#5ef1ff', '#fff3d6'],
    dark: '#07061a',
  },
  {
    sky: ['#04121f', '#0a3147', '#14737f', '#6fe3c1'],
    lights: ['#f7ff8a', '#ff8f5a', '#a6fff2', '#ffffff'],
    dark: '#020b12',
  },
  {
    sky: ['#120816', '#3d0f2c', '#9c2233', '#ff9a4d'],
    lights: ['#ffe29a', '#ff5a5a', '#59d8ff', '#fff0dc'],
    dark: '#0a040c',
  },
  {
    sky: ['#070b22', '#152a6b', '#3b5be0', '#b7a8ff'],
    lights: ['#fff2b0', '#ff6fb1', '#7ff6ff', '#ffffff'],
    dark: '#040616',
  },
]
type Night = (typeof NIGHTS)[number]

/** A city at night after rain, with its reflection in the water. */
export const neon: Family = {
  raster: true,
  shapes: [PORTRAIT, TALL, SQUARE, WIDE],
  draw(random, { width, height }) {
    const night = random.inTurn(NIGHTS)
    const water = Math.round(height * random.between(0.66, 0.76))
    let defs = linear(
      'sky',
      [0, 0],
      [0, 1],
      [
        [0, night.sky[0]!],
        [0.3, night.sky[1]!],
        [0.55, night.sky[2]!],
        [0.74, night.sky[3]!],
      ],
    )
    defs += radial('halo', [0.5, 0.5], 0.5, [
      [0, night.sky[3]!, 0.4],
      [1, night.sky[3]!, 0],
    ])
    let shapes = '<rect width="100%" height="100%" fill="url(#sky)"/>'
    for (let i = 0; i < 90; i++)
      shapes += disc(
        random.between(0, width),
        random.between(0, height * 0.4),
        random.between(0.5, 1.7),
        '#ffffff',
        `opacity="${n(random.between(0.2, 0.9))}"`,
      )
    const sun = {
      x: width * random.between(0.25, 0.75),
      y: water - height * random.between(0.16, 0.36),
      r: Math.min(width, height) * random.between(0.1, 0.2),
    }
    defs += linear(
      'moon',
      [0, 0],
      [0, 1],
      [
        [0, lighter(night.sky[3]!, 0.6)],
        [1, mix(night.sky[3]!, night.sky[2]!, 0.35)],
      ],
    )
    shapes += disc(sun.x, sun.y, sun.r * 2.2, 'url(#halo)') + disc(sun.x, sun.y, sun.r, 'url(#moon)')
    if (random.chance(0.5))
      for (let i = 0; i < 7; i++)
        shapes += box(
          sun.x - sun.r,
          sun.y + sun.r * (0.08 + i * 0.14),
          sun.r * 2,
          2 + i * 2.4,
          mix(night.sky[2]!, night.sky[3]!, 0.35),
          'opacity="0.85"',
        )
    const rows = 4
    for (let row = 0; row < rows; row++) {
      const depth = row / (rows - 1)
      const haze = along([mix(night.sky[2]!, night.sky[3]!, 0.35), night.sky[2]!, night.sky[1]!, night.dark], depth)
      let x = -random.between(0, 60)
      while (x < width) {
        const w = width * random.between(0.05, 0.1) * (0.7 + depth * 0.9)
        const valley = 0.5 + Math.abs((x + w / 2 - sun.x) / width) * 1.1
        const tall = height * random.between(0.12, 0.4) * (0.75 + depth * 0.45) * valley * (row === 3 ? 0.95 : 1)
        shapes += tower(random, night, { x, y: water - tall, w, tall: tall + 2, haze, depth })
        x += w + (row === rows - 1 ? random.pick([0, 8, width * 0.08, width * 0.15]) : random.between(-4, 14))
      }
      defs += linear(
        `h${row}`,
        [0, 0],
        [0, 1],
        [
          [0, night.sky[3]!, 0],
          [1, night.sky[3]!, 0.3 * (1 - depth) + 0.06],
        ],
      )
      shapes += box(0, water - height * 0.3, width, height * 0.3, `url(#h${row})`)
    }
    shapes += box(0, water, width, height - water, night.dark)
    const waves = Float32Array.from({ length: height }, () => random.bell())
    return {
      width,
      height,
      shapes: `<defs>${defs}</defs>${shapes}`,
      disturb: (pixels) => reflect(pixels, width, height, water, waves),
      finish: { grain: 0.16, bloom: 0.5, vignette: 0.25 },
    }
  },
}

type Tower = { x: number; y: number; w: number; tall: number; haze: string; depth: number }

function tower(random: Random, night: Night, { x, y, w, tall, haze, depth }: Tower): string {
  let art = box(x, y, w, tall, haze) + box(x + w * 0.72, y, w * 0.28, tall, darker(haze, 0.3))
  const top = random.pick(['flat', 'mast', 'step', 'slant'])
  if (top === 'mast')
    art +=
      box(x + w * 0.48, y - w * 0.9, 3, w * 0.9, haze) + disc(x + w * 0.48 + 1.5, y - w * 0.9, 3.4, night.lights[1]!)
  if (top === 'step')
    art +=
      box(x + w * 0.2, y - w * 0.25, w * 0.6, w * 0.26, haze) + box(x + w * 0.36, y - w * 0.5, w * 0.28, w * 0.5, haze)
  if (top === 'slant') art += path(`M${n(x)} ${n(y + 1)}L${n(x + w)} ${n(y - w * 0.45)}V${n(y + 1)}Z`, haze)
  const size = 4 + depth * 4
  const pitch = size * random.between(1.7, 2.3)
  const lit = random.between(0.12, 0.5)
  const glow = random.pick(night.lights)
  let windows = ''
  for (let wy = y + pitch; wy < y + tall - pitch; wy += pitch * 1.25)
    for (let wx = x + pitch * 0.6; wx < x + w - size; wx += pitch)
      if (random.chance(lit)) windows += `M${n(wx)} ${n(wy)}h${n(size * 0.72)}v${n(size)}h${n(-size * 0.72)}Z`
  art += path(windows, mix(glow, haze, 0.15 + (1 - depth) * 0.35), 'opacity="0.9"')
  if (depth > 0.3 && random.chance(0.45)) {
    const sign = random.pick(night.lights.slice(0, 3))
    const sw = w * 0.2
    const sx = random.chance(0.5) ? x - sw * 0.4 : x + w - sw * 0.6
    const sh = Math.min(tall * 0.5, w * random.between(1, 2))
    const sy = y + tall * random.between(0.08, 0.3)
    art += box(sx, sy, sw, sh, night.dark) + box(sx, sy, sw, sh, 'none', `stroke="${sign}" stroke-width="3"`)
    const marks = Math.max(2, Math.round(sh / (sw * 1.15)))
    for (let i = 0; i < marks; i++) {
      const gy = sy + (i + 0.22) * (sh / marks)
      const g = sw * 0.56
      const gx = sx + sw * 0.22
      art += path(
        random.pick([
          `M${n(gx)} ${n(gy)}h${n(g)}v${n(g * 0.2)}h${n(-g)}ZM${n(gx + g * 0.4)} ${n(gy)}h${n(g * 0.2)}v${n(g)}h${n(-g * 0.2)}Z`,
          `M${n(gx)} ${n(gy)}h${n(g)}v${n(g)}h${n(-g)}ZM${n(gx + g * 0.25)} ${n(gy + g * 0.25)}v${n(g * 0.5)}h${n(g * 0.5)}v${n(-g * 0.5)}Z`,
          `M${n(gx)} ${n(gy)}h${n(g * 0.22)}v${n(g)}h${n(-g * 0.22)}ZM${n(gx + g * 0.45)} ${n(gy)}h${n(g * 0.55)}v${n(g * 0.2)}h${n(-g * 0.55)}ZM${n(gx + g * 0.45)} ${n(gy + g * 0.75)}h${n(g * 0.55)}v${n(g * 0.2)}h${n(-g * 0.55)}Z`,
        ]),
        sign,
      )
    }
  } else if (depth > 0.6 && random.chance(0.4)) art += box(x + w * 0.06, y + 2, w * 0.88, 5, random.pick(night.lights))
  return art
}

/** Mirrors the upper part below the water line, displaced by small waves. */
function reflect(pixels: Uint8ClampedArray, width: number, height: number, water: number, waves: Float32Array): void {
  for (let y = water; y < height; y++) {
    const deep = (y - water) / (height - water)
    const from = Math.max(0, Math.floor(water - 1 - (y - water) * 1.9 - waves[y]! * 5 * deep))
    const swing = waves[y]! * 2 + Math.sin(y * (0.5 - deep * 0.35)) * (3 + deep * 13)
    const keep = 0.78 - deep * 0.45
    for (let x = 0; x < width; x++) {
      const sx = Math.min(width - 1, Math.max(0, Math.round(x + swing)))
      const p = (y * width + x) * 3
      const q = (from * width + sx) * 3
      pixels[p] = pixels[p]! * 0.3 + pixels[q]! * keep
      pixels[p + 1] = pixels[p + 1]! * 0.3 + pixels[q + 1]! * keep
      pixels[p + 2] = pixels[p + 2]! * 0.35 + pixels[q + 2]! * keep
    }
  }
}
