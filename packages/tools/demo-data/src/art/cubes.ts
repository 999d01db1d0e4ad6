import { darker, lighter } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { createNoise } from './noise.ts'
import { linear, n, path, radial } from './svg.ts'

const SETS = [
  { ground: ['#f2dcc9', '#e2b79a'], tops: ['#264653', '#2a9d8f', '#e9c46a', '#f4a261', '#e76f51'] },
  { ground: ['#1b1f3b', '#0c0e1f'], tops: ['#2d2a6e', '#6b3fa0', '#e0557b', '#ff9f6b', '#ffe29a'] },
  { ground: ['#dfe7e2', '#b4c8be'], tops: ['#103c3c', '#3f7d6e', '#a7c4a0', '#f1e3b8', '#f26b4e'] },
  { ground: ['#e9e2d4', '#cabd9f'], tops: ['#1d2433', '#3d4d66', '#93a1ae', '#e8e0d0', '#d9482b'] },
  { ground: ['#0e2a33', '#06151b'], tops: ['#0f4c5c', '#1f8a8a', '#7fd1b9', '#f3e9c6', '#ff8c61'] },
  { ground: ['#f4c7c0', '#e09a94'], tops: ['#5b1f5e', '#b83b5e', '#f08a5d', '#f9d56e', '#fdf0d5'] },
  { ground: ['#b9d6f2', '#7fabd9'], tops: ['#0b3c8c', '#2f6fd0', '#f6f1e4', '#ffc845', '#ef4e3a'] },
]

/** A city of blocks in isometric view. */
export const cubes: Family = {
  shapes: [PORTRAIT, SQUARE, TALL],
  draw(random, { width, height }) {
    const { ground, tops } = random.inTurn(SETS)
    const cells = random.pick([9, 12, 16, 20])
    const half = (width * 0.43) / cells
    const rise = half * 0.58
    const noise = createNoise(random)
    const scale = random.between(0.16, 0.34)
    const tallest = height * random.between(0.26, 0.44)
    const middle = (cells - 1) / 2
    const form = random.pick(['hills', 'tower'])
    const originY = height * 0.555 - (cells / 2) * rise * 2 + tallest * 0.3
    const turn = random.chance(0.3)
    const colours = turn ? [...tops].reverse() : tops
    let defs = radial('back', [0.5, 0.4], 0.8, [
      [0, lighter(ground[0]!, 0.25)],
      [0.5, ground[0]!],
      [1, ground[1]!],
    ])
    defs += linear(
      'fade',
      [0, 0],
      [0, 1],
      [
        [0.1, darker(tops[0]!, 0.2), 0],
        [1, darker(tops[0]!, 0.2), 0.42],
      ],
    )
    let shapes = '<rect width="100%" height="100%" fill="url(#back)"/>'
    const floor = originY + cells * rise * 2 - rise
    shapes += `<ellipse cx="${n(width / 2 + width * 0.04)}" cy="${n(floor - cells * rise * 0.9)}" rx="${n(width * 0.47)}" ry="${n(cells * rise * 1.12)}" fill="${darker(ground[1]!, 0.5)}" opacity="0.22"/>`
    let spray = ''
    for (let k = 0; k <= (cells - 1) * 2; k++)
      for (let i = Math.max(0, k - cells + 1); i <= Math.min(cells - 1, k); i++) {
        const j = k - i
        const far = Math.hypot(i - middle, j - middle) / middle / 1.42
        const hill = (noise(i * scale + 40, j * scale + 40) + 1) / 2
        const slope = 1 - far * far * 0.75
        const bulk = (form === 'hills' ? hill : hill * 0.45 + Math.max(0, 1 - far * 1.25) * 0.7) * slope
        const jump = random.chance(0.08) ? random.between(0.1, 0.3) : 0
        const tall = half * 0.6 + tallest * Math.min(1.15, bulk ** 1.3 + jump)
        if (random.chance(0.035)) continue
        const x = width / 2 + (i - j) * half
        const y = originY + (i + j) * rise - tall + tallest * 0.25
        const tone =
          colours[
            Math.min(
              colours.length - 1,
              Math.max(0, Math.floor((bulk * 1.15 - 0.05 + random.bell() * 0.09) * colours.length)),
            )
          ]!
        const w = half * 0.965
        const r = rise * 0.965
        const left = `M${n(x - w)} ${n(y)}L${n(x)} ${n(y + r)}L${n(x)} ${n(y + r + tall)}L${n(x - w)} ${n(y + tall)}Z`
        const right = `M${n(x + w)} ${n(y)}L${n(x)} ${n(y + r)}L${n(x)} ${n(y + r + tall)}L${n(x + w)} ${n(y + tall)}Z`
        const top = `M${n(x)} ${n(y - r)}L${n(x + w)} ${n(y)}L${n(x)} ${n(y + r)}L${n(x - w)} ${n(y)}Z`
        shapes += path(left, tone) + path(right, darker(tone, 0.36)) + path(top, lighter(tone, 0.45))
        spray += path(`${left}${right}`, 'url(#fade)') + path(top, lighter(tone, 0.45))
        if (random.chance(0.09)) {
          const inset = (s: number) =>
            `M${n(x)} ${n(y - r * s)}L${n(x + w * s)} ${n(y)}L${n(x)} ${n(y + r * s)}L${n(x - w * s)} ${n(y)}Z`
          const mark = path(inset(0.55), random.pick(tops))
          shapes += mark
          spray += mark
        }
      }
    return {
      width,
      height,
      shapes: `<defs>${defs}</defs>${shapes}`,
      spray: `<defs>${defs}</defs>${spray}`,
      finish: { grain: 0.13, paper: 0.7, vignette: 0.12 },
    }
  },
}
