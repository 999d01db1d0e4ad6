import { along, darker, lighter, mix } from './colour.ts'
import { type Family, LANDSCAPE, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { createNoise, layered } from './noise.ts'
import { SKIES } from './palettes.ts'
import { closed, disc, linear, n, type Point, path, radial } from './svg.ts'

/** Mountain ranges of layered coloured paper, each layer with a shadow on the one behind. */
export const paperHills: Family = {
  shapes: [PORTRAIT, TALL, SQUARE, LANDSCAPE],
  draw(random, { width, height }) {
    const sky = random.inTurn(SKIES)
    const near = random.chance(0.5) ? darker(sky[0]!, 0.45) : darker(sky[1]!, 0.55)
    const ranges = random.whole(6, 9)
    const horizon = height * random.between(0.36, 0.5)
    const sunX = width * random.pick([0.3, 0.5, 0.68])
    const sunY = horizon - height * random.between(0.02, 0.16)
    const sunR = width * random.between(0.09, 0.19)
    const pale = lighter(sky[4]!, 0.6)
    let defs = linear(
      'sky',
      [0, 0],
      [0, 1],
      [
        [0, sky[1]!],
        [0.3, sky[2]!],
        [0.52, sky[3]!],
        [0.7, sky[4]!],
      ],
    )
    defs += radial('halo', [0.5, 0.5], 0.5, [
      [0.2, pale, 0.75],
      [1, pale, 0],
    ])
    let shapes = `<rect width="100%" height="100%" fill="url(#sky)"/>`
    for (const ring of [3.4, 2.5, 1.75]) shapes += disc(sunX, sunY, sunR * ring, pale, 'opacity="0.13"')
    shapes += disc(sunX, sunY, sunR * 2.6, 'url(#halo)') + disc(sunX, sunY, sunR, pale)
    let spray = ''
    const steep = random.between(0.6, 1.35)
    for (let i = 0; i < ranges; i++) {
      const depth = i / (ranges - 1)
      const hills = layered(createNoise(random), depth < 0.6 ? 5 : 3)
      const base = horizon + (height * 1.02 - horizon) * depth ** 1.15
      const swing = height * (0.1 + 0.055 * depth) * steep
      const scale = (depth < 0.6 ? 4.4 - depth * 2 : 2.4) / width
      const top: Point[] = []
      for (let x = -20; x <= width + 20; x += 8) {
        const hill = hills(x * scale + i * 9, i * 5.5)
        top.push([x, base - swing * 0.35 - (depth < 0.5 ? Math.abs(hill) * 1.6 : hill) * swing])
      }
      const d = closed([...top, [width + 20, height + 20], [-20, height + 20]])
      const colour =
        depth < 0.5
          ? mix(mix(sky[3]!, sky[2]!, depth * 2), near, depth * 0.7)
          : mix(mix(sky[1]!, sky[2]!, 0.3), near, depth ** 1.4)
      const fog = along([sky[3]!, sky[2]!, sky[1]!], depth)
      defs += linear(
        `f${i}`,
        [0, 0],
        [0, 1],
        [
          [0, colour],
          [depth < 0.5 ? 0.75 : 0.95, mix(colour, fog, 0.5 * (1 - depth) + 0.06)],
        ],
      )
      for (const [lift, dark] of [
        [14, 0.05],
        [9, 0.07],
        [4, 0.1],
      ] as const)
        shapes += path(
          d,
          darker(sky[0]!, 0.4),
          `opacity="${dark}" transform="translate(-3 ${n(-lift * (0.5 + depth))})"`,
        )
      shapes += path(d, `url(#f${i})`)
      shapes += `<path d="M${top.map(([x, y]) => `${n(x)} ${n(y)}`).join('L')}" fill="none" stroke="${lighter(colour, 0.45)}" stroke-width="1.6" opacity="0.55"/>`
      defs += linear(
        `s${i}`,
        [0, 0],
        [0, 1],
        [
          [0, darker(sky[0]!, 0.3), 0.34],
          [0.4, darker(sky[0]!, 0.3), 0],
        ],
      )
      spray += path(d, `url(#s${i})`, `transform="translate(0 ${n(4)})"`)
    }
    return {
      width,
      height,
      shapes: `<defs>${defs}</defs>${shapes}`,
      spray: `<defs>${defs}</defs>${spray}`,
      finish: { grain: 0.12, paper: 1.1, vignette: 0.12 },
    }
  },
}
