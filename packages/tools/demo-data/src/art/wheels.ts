import { darker, lighter } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { WALLS } from './palettes.ts'
import type { Random } from './random.ts'
import { disc, n, path, stroke } from './svg.ts'

/** Abstract wheels: rings cut into sectors. */
export const wheels: Family = {
  shapes: [PORTRAIT, SQUARE, TALL],
  draw(random, { width, height }) {
    const { ground, ink, colours } = random.inTurn(WALLS)
    const placed: { x: number; y: number; r: number }[] = []
    const sizes = [0.42, 0.3, 0.24, 0.2, 0.16, 0.13, 0.1, 0.07, 0.05]
    for (const size of sizes)
      for (let k = 0; k < 60; k++) {
        const r = width * size * random.between(0.9, 1.08)
        const x = random.between(-0.05, 1.05) * width
        const y = random.between(-0.05, 1.05) * height
        if (placed.every((o) => Math.hypot(o.x - x, o.y - y) > o.r + r + 6)) placed.push({ x, y, r })
        if (size > 0.25 && placed.length > 1) break
      }
    let shapes = `<rect width="100%" height="100%" fill="${ground}"/>`
    const [first, ...rest] = placed
    for (const o of rest)
      shapes += stroke(`M${n(first!.x)} ${n(first!.y)}L${n(o.x)} ${n(o.y)}`, ink, 2, 'opacity="0.14"')
    let spray = ''
    for (const o of placed) {
      shapes += wheel(random, o, colours, ground, ink)
      spray += disc(o.x, o.y, o.r, 'url(#dome)')
    }
    const dome = `<defs><radialGradient id="dome" cx="0.38" cy="0.34" r="0.75"><stop offset="0.45" stop-color="${darker(ink, 0.2)}" stop-opacity="0"/><stop offset="1" stop-color="${darker(ink, 0.4)}" stop-opacity="0.55"/></radialGradient></defs>`
    return { width, height, shapes, spray: dome + spray, finish: { grain: 0.13, paper: 1, vignette: 0.08 } }
  },
}

function wheel(
  random: Random,
  { x, y, r }: { x: number; y: number; r: number },
  colours: readonly string[],
  ground: string,
  ink: string,
): string {
  let art =
    disc(x + r * 0.04, y + r * 0.07, r, '#000000', 'opacity="0.18"') + disc(x, y, r, random.pick([ink, ...colours]))
  let outer = r
  while (outer > Math.max(8, r * 0.14)) {
    const inner = outer - Math.max(6, outer * random.between(0.12, 0.3))
    const kind = random.pick(['plain', 'sectors', 'sectors', 'teeth', 'spokes', 'half'])
    const turn = random.between(0, 6.28)
    const one = random.pick(colours)
    const two = random.pick([ground, ink, lighter(one, 0.4)])
    if (kind === 'plain') art += disc(x, y, outer, one)
    if (kind === 'half') art += disc(x, y, outer, one) + slice(x, y, outer, turn, Math.PI, two)
    if (kind === 'sectors') {
      const parts = random.pick([4, 6, 8, 12])
      for (let i = 0; i < parts; i++)
        art += slice(
          x,
          y,
          outer,
          turn + (i / parts) * 6.2832,
          6.3 / parts,
          i % 2 ? one : random.chance(0.25) ? random.pick(colours) : two,
        )
    }
    if (kind === 'teeth' || kind === 'spokes') {
      const circle = outer * 6.2832
      const teeth = random.pick([12, 18, 24, 36, 48])
      const share = kind === 'teeth' ? 0.5 : 0.16
      art +=
        disc(x, y, outer, one) +
        `<circle cx="${n(x)}" cy="${n(y)}" r="${n((outer + inner) / 2)}" fill="none" stroke="${two}" stroke-width="${n((outer - inner) * 0.9)}" stroke-dasharray="${(((circle - (outer - inner) * 3.14) / teeth) * share).toFixed(2)} ${(((circle - (outer - inner) * 3.14) / teeth) * (1 - share)).toFixed(2)}"/>`
    }
    outer = inner
  }
  return art + disc(x, y, outer, random.pick([ground, ink]))
}

function slice(x: number, y: number, r: number, from: number, angle: number, fill: string): string {
  const at = (a: number) => `${n(x + Math.cos(a) * r)} ${n(y + Math.sin(a) * r)}`
  return path(`M${n(x)} ${n(y)}L${at(from)}A${n(r)} ${n(r)} 0 ${angle > Math.PI ? 1 : 0} 1 ${at(from + angle)}Z`, fill)
}
