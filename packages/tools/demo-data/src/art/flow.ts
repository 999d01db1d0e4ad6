import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { createNoise } from './noise.ts'
import { WALLS } from './palettes.ts'
import { curve, n, type Point, stroke } from './svg.ts'

const CELL = 8

/** Ribbons that follow a flow field and do not touch. */
export const flow: Family = {
  shapes: [PORTRAIT, TALL, SQUARE],
  draw(random, { width, height }) {
    const { ground, ink, colours } = random.inTurn(WALLS)
    const noise = createNoise(random)
    const scale = random.between(0.0009, 0.0022)
    const heading = random.between(-1, 1) * Math.PI
    const bend = random.between(1, 2.3)
    const step = random.chance(0.25) ? Math.PI / random.pick([4, 6]) : 0
    const angle = (x: number, y: number) => {
      const a = heading + noise(x * scale, y * scale) * Math.PI * bend
      return step ? Math.round(a / step) * step : a
    }
    const columns = Math.ceil(width / CELL)
    const rows = Math.ceil(height / CELL)
    const taken = new Uint8Array(columns * rows)
    const margin = random.pick([0, 56, 70])
    const free = (x: number, y: number, r: number) => {
      if (x < margin + r || y < margin + r || x > width - margin - r || y > height - margin - r) return false
      const reach = Math.ceil(r / CELL)
      const cx = Math.floor(x / CELL)
      const cy = Math.floor(y / CELL)
      for (let j = -reach; j <= reach; j++)
        for (let i = -reach; i <= reach; i++)
          if (i * i + j * j <= reach * reach + 1 && taken[(cy + j) * columns + cx + i]) return false
      return true
    }
    const mark = (x: number, y: number, r: number) => {
      const reach = Math.floor(r / CELL)
      const cx = Math.floor(x / CELL)
      const cy = Math.floor(y / CELL)
      for (let j = -reach; j <= reach; j++)
        for (let i = -reach; i <= reach; i++)
          if (i * i + j * j <= reach * reach + 1) taken[(cy + j) * columns + cx + i] = 1
    }
    const main = random.shuffled(colours)
    const widths = random.pick([
      [34, 22, 14, 8, 5],
      [60, 30, 12, 6, 4],
      [24, 20, 16, 10, 6],
    ])
    const drift = createNoise(random)
    let shapes = `<rect width="100%" height="100%" fill="${ground}"/>`
    for (const half of widths.map((w) => w / 2)) {
      const tries = Math.round((width * height) / (half * 200 + 420))
      for (let k = 0; k < tries; k++) {
        let x = random.between(margin, width - margin)
        let y = random.between(margin, height - margin)
        const gap = half + 5
        const line: Point[] = []
        const longest = random.between(30, 110)
        while (line.length < longest && free(x, y, gap)) {
          line.push([x, y])
          const a = angle(x, y)
          x += Math.cos(a) * 7
          y += Math.sin(a) * 7
        }
        if (line.length < 7) continue
        for (const [px, py] of line) mark(px, py, gap)
        const place = drift(line[0]![0] * 0.0016, line[0]![1] * 0.0016) * 2.4 + random.bell() * 0.7
        const colour = main[Math.abs(Math.round(place)) % main.length]!
        const thin = line.filter((_, i) => i % 3 === 0 || i === line.length - 1)
        const d = curve(thin)
        const cap = half > 9 && random.chance(0.5) ? 'stroke-linecap="butt"' : 'stroke-linecap="round"'
        shapes += stroke(d, colour, half * 2, cap)
        if (half > 8 && random.chance(0.22))
          shapes += stroke(d, ink, half * 2 - 5, `stroke-dasharray="2 ${n(random.pick([7, 11, 16]))}" opacity="0.8"`)
        else if (half > 8 && random.chance(0.12)) shapes += stroke(d, ground, half * 0.5, cap)
      }
    }
    return { width, height, shapes, finish: { grain: 0.14, paper: 1 } }
  },
}
