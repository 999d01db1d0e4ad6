import { darker, lighter, mix } from './colour.ts'
import { type Family, LANDSCAPE, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { WALLS } from './palettes.ts'
import { box, disc, n, stroke } from './svg.ts'

/** Bundles of pipes on a wall: every tile bends or crosses them, and no pipe ends. */
export const pipes: Family = {
  shapes: [PORTRAIT, SQUARE, TALL, LANDSCAPE],
  draw(random, { width, height }) {
    const { ground, ink, colours } = random.inTurn(WALLS)
    const across = random.pick([4, 5, 6, 8])
    const tile = width / across
    const down = Math.ceil(height / tile)
    const lanes = random.pick([1, 2, 3])
    const gap = tile / (lanes + 1)
    const thick = Math.min(gap * 0.8, tile * 0.34)
    const crossing = random.between(0.12, 0.5)
    const wall = mix(ground, ink, 0.05)
    const coat = random.shuffled(colours.filter((c) => c !== ground))
    const swirl = random.between(0, 6)
    const colourAt = (x: number, y: number, lane: number) =>
      coat[
        Math.abs(Math.floor(Math.sin(x * 0.7 + swirl) * 1.6 + Math.cos(y * 0.6 - swirl) * 1.6 + lane + 6)) % coat.length
      ]!
    const shadow: string[] = []
    const body: string[] = []
    const pipe = (d: string, colour: string) => {
      shadow.push(
        stroke(d, '#000000', thick * 1.05, `opacity="0.2" transform="translate(${n(thick * 0.2)} ${n(thick * 0.34)})"`),
      )
      body.push(
        stroke(d, darker(colour, 0.55), thick) +
          stroke(d, darker(colour, 0.22), thick * 0.82) +
          stroke(d, colour, thick * 0.6) +
          stroke(
            d,
            lighter(colour, 0.28),
            thick * 0.36,
            `transform="translate(${n(-thick * 0.06)} ${n(-thick * 0.08)})"`,
          ) +
          stroke(
            d,
            lighter(colour, 0.72),
            thick * 0.13,
            `transform="translate(${n(-thick * 0.1)} ${n(-thick * 0.14)})"`,
          ),
      )
    }
    for (let row = 0; row < down; row++)
      for (let column = 0; column < across; column++) {
        const x = column * tile
        const y = row * tile
        const turn = random.chance(0.5)
        const corners = turn
          ? ([
              [0, 0, 0],
              [1, 1, 180],
            ] as const)
          : ([
              [1, 0, 90],
              [0, 1, 270],
            ] as const)
        if (random.chance(crossing)) {
          for (let lane = 1; lane <= lanes; lane++)
            pipe(`M${n(x - 1)} ${n(y + gap * lane)}h${n(tile + 2)}`, colourAt(column, row, lane))
          for (let lane = 1; lane <= lanes; lane++)
            pipe(`M${n(x + gap * lane)} ${n(y - 1)}v${n(tile + 2)}`, colourAt(column + 2, row + 1, lane))
          continue
        }
        corners.forEach(([cx, cy], end) => {
          const sx = cx ? -1 : 1
          const sy = cy ? -1 : 1
          for (let lane = lanes; lane >= 1; lane--) {
            const r = gap * lane
            if (end === 1 && r > tile * 0.72) continue
            const ax = x + cx * tile + sx * r
            const ay = y + cy * tile
            const bx = x + cx * tile
            const by = y + cy * tile + sy * r
            pipe(
              `M${n(ax)} ${n(ay - sy)}L${n(ax)} ${n(ay)}A${n(r)} ${n(r)} 0 0 ${sx * sy > 0 ? 1 : 0} ${n(bx)} ${n(by)}L${n(bx - sx)} ${n(by)}`,
              colourAt(column + end, row, lane),
            )
          }
        })
      }
    let layers = ''
    for (let i = 0; i < body.length; i++) layers += shadow[i]! + body[i]!
    let joints = ''
    for (let row = 0; row <= down; row++)
      for (let column = 0; column <= across; column++)
        for (let lane = 1; lane <= lanes; lane++) {
          if (random.chance(0.6)) continue
          const colour = mix(ink, ground, 0.25)
          const upright = random.chance(0.5)
          const w = upright ? thick * 1.24 : thick * 0.34
          const h = upright ? thick * 0.34 : thick * 1.24
          const x = column * tile + (upright ? gap * lane : 0)
          const y = row * tile + (upright ? 0 : gap * lane)
          joints +=
            box(x - w / 2 + 3, y - h / 2 + 5, w, h, '#000000', 'opacity="0.25"') +
            box(x - w / 2, y - h / 2, w, h, colour, `rx="${n(thick * 0.07)}"`) +
            disc(x - w * 0.28, y - h * 0.28, thick * 0.06, lighter(colour, 0.5))
        }
    return {
      width,
      height,
      shapes: `<rect width="100%" height="100%" fill="${wall}"/>${layers}${joints}`,
      finish: { grain: 0.12, paper: 0.5, vignette: 0.22 },
    }
  },
}
