import { darker, lighter, mix } from './colour.ts'
import { type Family, LANDSCAPE, SQUARE, WIDE } from './drawing.ts'
import { machine } from './motorcycle.ts'
import { createNoise, layered } from './noise.ts'
import { box, closed, disc, linear, n, type Point, path, radial } from './svg.ts'

const SETS = [
  {
    sky: ['#f2c14e', '#f78154', '#b4436c'],
    sun: '#fff1c9',
    land: '#5f2a4d',
    road: '#2b1930',
    paint: '#d62839',
    steel: '#f3e3cf',
    ink: '#1b0f1f',
  },
  {
    sky: ['#f4ecd8', '#e9d3ad', '#d9a679'],
    sun: '#e4572e',
    land: '#8a9a86',
    road: '#3a3f45',
    paint: '#1f5f6b',
    steel: '#f7f1e3',
    ink: '#1d1f24',
  },
  {
    sky: ['#0e1a3a', '#27407f', '#e8768f'],
    sun: '#ffd9a8',
    land: '#18244a',
    road: '#0b1027',
    paint: '#ffb627',
    steel: '#d9e2f2',
    ink: '#05070f',
  },
  {
    sky: ['#bfe3dd', '#7cc0b8', '#f5e3b5'],
    sun: '#fff8e2',
    land: '#2f7f79',
    road: '#1c3f48',
    paint: '#ef5b3f',
    steel: '#fff4df',
    ink: '#0f2027',
  },
  {
    sky: ['#c9302c', '#e5683c', '#f3b562'],
    sun: '#fbe9c6',
    land: '#7a1a22',
    road: '#2a0f14',
    paint: '#fbe9c6',
    steel: '#f6d7a8',
    ink: '#16080b',
  },
  {
    sky: ['#d9cfe8', '#b79fcf', '#f2b8a0'],
    sun: '#fff3e4',
    land: '#5d4a80',
    road: '#2a2242',
    paint: '#2f9c95',
    steel: '#f9eee6',
    ink: '#17122a',
  },
]

/** Motorcycles in the style of old travel posters. */
export const moto: Family = {
  shapes: [LANDSCAPE, LANDSCAPE, WIDE, SQUARE],
  draw(random, { width, height }) {
    const set = random.inTurn(SETS)
    const road = height * random.between(0.79, 0.84)
    let defs = linear(
      'sky',
      [0, 0],
      [0, 1],
      [
        [0, set.sky[0]!],
        [0.5, set.sky[1]!],
        [0.85, set.sky[2]!],
      ],
    )
    defs += radial('dim', [0.5, 0.5], 0.5, [
      [0, set.ink, 0.6],
      [1, set.ink, 0],
    ])
    defs += linear(
      'low',
      [0, 0],
      [0, 1],
      [
        [0, set.ink, 0],
        [1, set.ink, 0.5],
      ],
    )
    let shapes = '<rect width="100%" height="100%" fill="url(#sky)"/>'
    const sun = { x: width * random.between(0.34, 0.66), r: height * random.between(0.26, 0.36) }
    const sunY = road - height * random.between(0.22, 0.42)
    shapes += disc(sun.x, sunY, sun.r * 1.25, set.sun, 'opacity="0.2"') + disc(sun.x, sunY, sun.r, set.sun)
    if (random.chance(0.6))
      for (let i = 0; i < 8; i++)
        shapes += box(0, sunY + sun.r * (0.05 + i * 0.15), width, 2 + i * 2.6, mix(set.sky[1]!, set.sky[2]!, i / 8))
    let spray = ''
    for (let i = 0; i < 3; i++) {
      const hills = layered(createNoise(random), 4 - i)
      const base = road - height * (0.15 - i * 0.07)
      const top: Point[] = []
      for (let x = -10; x <= width + 10; x += 12)
        top.push([x, base - (hills((x / width) * (3 - i * 0.5), i * 9) + 0.3) * height * 0.13])
      const d = closed([...top, [width + 10, height], [-10, height]])
      shapes += path(d, mix(set.sky[2]!, set.land, 0.35 + i * 0.32))
      spray += path(d, 'url(#low)', 'opacity="0.4"')
    }
    shapes += box(0, road, width, height - road, set.road) + box(0, road, width, 6, lighter(set.road, 0.3))
    for (let i = 0; i < 8; i++)
      shapes += box(
        random.between(-0.1, 0.9) * width,
        road + height * random.between(0.06, 0.17),
        width * random.between(0.06, 0.25),
        random.between(2, 6),
        lighter(set.road, 0.5),
        'opacity="0.5" rx="3"',
      )
    const size = Math.min(width * 0.0029, height * 0.0037)
    const bike = machine(random, set)
    const at = `translate(${n(width * 0.5)} ${n(road + height * 0.035)}) scale(${(size * (random.chance(0.5) ? 1 : 1)).toFixed(3)})`
    const flip = random.chance(0.4) ? ' scale(-1 1)' : ''
    const shadow = `<ellipse cx="${n(width * 0.5)}" cy="${n(road + height * 0.038)}" rx="${n(size * 165)}" ry="${n(height * 0.022)}" fill="${set.ink}" opacity="0.55"/>`
    let wind = ''
    const gusts = random.whole(5, 10)
    for (let i = 0; i < gusts; i++) {
      const y = road - height * random.between(0.02, 0.42)
      wind += box(
        random.between(-0.2, 0.85) * width,
        y,
        width * random.between(0.12, 0.4),
        random.between(2, 5),
        lighter(set.sun, 0.2),
        'rx="2" opacity="0.55"',
      )
    }
    shapes += `${wind}${shadow}<g transform="${at}${flip}">${bike.shapes}</g>`
    spray += `${box(0, road, width, height - road, 'url(#low)')}<g transform="${at}${flip}">${bike.shade(darker(set.ink, 0.2))}</g>`
    return {
      width,
      height,
      shapes: `<defs>${defs}</defs>${shapes}`,
      spray: `<defs>${defs}</defs>${spray}`,
      finish: { grain: 0.15, paper: 1.1, vignette: 0.15 },
    }
  },
}
