import { along, mix } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { WALLS } from './palettes.ts'
import { closed, type Point, path } from './svg.ts'

/** Nested squares, regular at one end of the image and increasingly irregular towards the other. */
export const boxes: Family = {
  shapes: [PORTRAIT, SQUARE, TALL],
  draw(random, { width, height }) {
    const { ground, ink, colours } = random.inTurn(WALLS)
    const across = random.pick([3, 4, 5, 7])
    const margin = width * random.pick([0.06, 0.09])
    const cell = (width - margin * 2) / across
    const down = Math.floor((height - margin * 2 + cell * 0.1) / cell)
    const top = (height - down * cell) / 2
    const rings = across > 5 ? 5 : random.whole(7, 11)
    const wild = random.between(0.05, 0.13) * cell
    const filled = random.chance(0.62)
    const row0 = random.shuffled(colours)
    const slope = random.pick(['down', 'middle', 'corner'])
    let shapes = `<rect width="100%" height="100%" fill="${ground}"/>`
    for (let r = 0; r < down; r++)
      for (let c = 0; c < across; c++) {
        const u = c / Math.max(1, across - 1)
        const v = r / Math.max(1, down - 1)
        const disorder =
          slope === 'down' ? v : slope === 'corner' ? (u + v) / 2 : 1 - Math.hypot(u - 0.5, v - 0.5) * 1.4
        const ramp = random.shuffled(row0).slice(0, 3)
        if (random.chance(0.3)) ramp.push(ink)
        const cx = margin + (c + 0.5) * cell
        const cy = top + (r + 0.5) * cell
        const lean: Point = [random.bell() * disorder * cell * 0.14, random.bell() * disorder * cell * 0.14]
        for (let k = 0; k < rings; k++) {
          const inward = k / rings
          if (!filled && random.chance(0.1 + disorder * 0.15)) continue
          const half = (cell / 2) * (1 - inward) * 0.965
          const jolt = () => random.bell() * wild * disorder * (1 - inward * 0.6)
          const corner = (sx: number, sy: number): Point => [
            cx + lean[0] * inward + sx * half + jolt(),
            cy + lean[1] * inward + sy * half + jolt(),
          ]
          const d = closed([corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)])
          const colour = along(ramp, inward)
          if (filled)
            shapes += path(
              d,
              k % 2 ? mix(colour, ground, 0.12) : colour,
              `stroke="${ink}" stroke-opacity="0.16" stroke-width="1.5"`,
            )
          else
            shapes += path(
              d,
              'none',
              `stroke="${random.chance(0.2) ? ink : colour}" stroke-width="${k === 0 ? 4 : 3}" stroke-linejoin="round"`,
            )
        }
      }
    return { width, height, shapes, finish: { grain: 0.13, paper: 1.2, vignette: 0.06 } }
  },
}
