import { darker, lighter, mix } from './colour.ts'
import { type Family, LANDSCAPE, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { createNoise, layered } from './noise.ts'
import { closed, disc, linear, n, type Point, path } from './svg.ts'

const HOURS = [
  { sky: ['#0a1230', '#2b3f86', '#e88a8a', '#ffd9a0'], land: '#0d1430', tail: '#ff3b30', lamp: '#fff1c4' },
  { sky: ['#10222b', '#1f5561', '#8fc1a9', '#f6e7b4'], land: '#0a1a1f', tail: '#ff5a36', lamp: '#f4ffdf' },
  { sky: ['#1d0f33', '#5b2a86', '#e0567a', '#ffb577'], land: '#150a26', tail: '#ff2e63', lamp: '#ffe8c9' },
  { sky: ['#05070f', '#12203b', '#2f5d8a', '#a9d6e5'], land: '#04060d', tail: '#ff4d3d', lamp: '#e9fbff' },
  { sky: ['#2a0d12', '#8c2f2b', '#ee8434', '#ffe0a3'], land: '#1c080c', tail: '#fff0d0', lamp: '#ffd24d' },
]

/** A long exposure of a road at night: light trails of vehicles. */
export const roads: Family = {
  shapes: [PORTRAIT, TALL, SQUARE, LANDSCAPE],
  draw(random, { width, height }) {
    const { sky, land, tail, lamp } = random.inTurn(HOURS)
    const horizon = height * random.between(0.34, 0.46)
    let defs = linear(
      'sky',
      [0, 0],
      [0, 1],
      [
        [0, sky[0]!],
        [0.2, sky[1]!],
        [0.36, sky[2]!],
        [0.46, sky[3]!],
      ],
    )
    defs += linear(
      'field',
      [0, 0],
      [0, 1],
      [
        [0, mix(land, sky[2]!, 0.35)],
        [0.35, mix(land, sky[1]!, 0.25)],
        [1, darker(land, 0.3)],
      ],
    )
    let shapes = '<rect width="100%" height="100%" fill="url(#sky)"/>'
    for (let i = 0; i < 130; i++)
      shapes += disc(
        random.between(0, width),
        horizon * random.unit() ** 1.6 * 0.8,
        random.between(0.5, 1.9),
        '#ffffff',
        `opacity="${n(random.between(0.2, 0.9))}"`,
      )
    if (random.chance(0.7))
      shapes += disc(
        width * random.between(0.15, 0.85),
        horizon * random.between(0.3, 0.75),
        width * random.between(0.04, 0.09),
        lighter(sky[3]!, 0.5),
      )
    for (let i = 0; i < 4; i++) {
      const hills = layered(createNoise(random), 4)
      const top: Point[] = []
      for (let x = -10; x <= width + 10; x += 10)
        top.push([
          x,
          horizon +
            i * height * 0.02 -
            Math.max(-0.1, hills((x / width) * 3 + i * 7, i) + 0.25) * height * (0.2 - i * 0.035),
        ])
      shapes += path(
        closed([...top, [width + 10, height], [-10, height]]),
        mix(mix(sky[2]!, sky[1]!, 0.4 + i * 0.2), land, i * 0.26),
      )
    }
    const floor = horizon + height * 0.05
    shapes += `<rect y="${n(floor)}" width="100%" height="${n(height - floor)}" fill="url(#field)"/>`
    const turns = random.between(1.6, 3)
    const phase = random.between(0, 6.28)
    const swing = random.between(0.22, 0.4) * width
    const start = width * random.between(0.4, 0.6)
    const middle = (t: number) => start + Math.sin(phase + turns * 2.2 * Math.sqrt(1 - t)) * swing * (0.12 + t * 0.62)
    const y = (t: number) => floor + (height * 1.02 - floor) * t ** 1.7
    const half = (t: number) => width * (0.004 + 0.2 * t ** 1.7)
    const edge = (lane: number, lift = 0): Point[] =>
      Array.from({ length: 61 }, (_, i) => {
        const t = i / 60
        return [middle(t) + half(t) * lane, y(t) - lift * (0.04 + t ** 1.7)]
      })
    const strip = (from: number, to: number, lift = 0) => closed([...edge(from, lift), ...edge(to, lift).reverse()])
    shapes +=
      path(strip(-1.16, 1.16), mix(land, sky[2]!, 0.22)) +
      path(strip(-1, 1), mix(land, sky[1]!, 0.32)) +
      path(strip(-0.95, -0.91), lighter(sky[2]!, 0.3), 'opacity="0.6"') +
      path(strip(0.91, 0.95), lighter(sky[2]!, 0.3), 'opacity="0.6"')
    for (let i = 0; i < 26; i++) {
      const t = (i / 26) ** 0.8
      const at = [t, Math.min(1, t + 0.018)].map((s): Point[] => [
        [middle(s) - half(s) * 0.018, y(s)],
        [middle(s) + half(s) * 0.018, y(s)],
      ])
      shapes += path(closed([...at[0]!, ...at[1]!.reverse()]), lighter(sky[3]!, 0.4), 'opacity="0.7"')
    }
    const trails = random.whole(7, 14)
    for (let i = 0; i < trails; i++) {
      const away = i % 2 === 0
      const lane = (away ? 1 : -1) * random.between(0.2, 0.75)
      const lift = height * random.between(0.02, 0.11)
      const colour = away ? mix(tail, lamp, random.between(0, 0.3)) : lamp
      const thin = random.between(0.012, 0.03)
      shapes +=
        path(strip(lane - thin * 3.5, lane + thin * 3.5, lift), colour, 'opacity="0.22"') +
        path(strip(lane - thin, lane + thin, lift), lighter(colour, 0.25))
    }
    for (let i = 0; i < 22; i++) {
      const t = 0.04 + 0.9 * (i / 22) ** 1.2
      for (const side of [-1.3, 1.3]) {
        const x = middle(t) + half(t) * side
        const tall = height * 0.16 * (0.03 + t ** 1.7)
        shapes +=
          `<rect x="${n(x)}" y="${n(y(t) - tall)}" width="${n(1 + t * 5)}" height="${n(tall)}" fill="${darker(land, 0.2)}"/>` +
          disc(x + 1, y(t) - tall * 0.85, 0.8 + t * 4, side > 0 ? tail : lamp)
      }
    }
    return {
      width,
      height,
      shapes: `<defs>${defs}</defs>${shapes}`,
      finish: { grain: 0.16, bloom: 0.62, vignette: 0.3 },
    }
  },
}
