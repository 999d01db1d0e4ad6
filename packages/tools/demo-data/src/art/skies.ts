import { darker, mix } from './colour.ts'
import { type Family, PORTRAIT, TALL, WIDE } from './drawing.ts'
import { cloud, comet, type Hour, streak } from './sky-clouds.ts'
import { figure, grass, poles, tree } from './sky-land.ts'
import { curve, disc, linear, n, type Point, path } from './svg.ts'

const HOURS: readonly Hour[] = [
  { top: '#1559b8', low: '#a9e4f5', white: '#ffffff', tone: '#cfe4f5', shade: '#7fa9d8', land: '#12324a', stars: 0 },
  { top: '#2b2f77', low: '#ffb38a', white: '#fff0dc', tone: '#ffc3a0', shade: '#b56a93', land: '#241a3d', stars: 40 },
  { top: '#0a1033', low: '#3d6bb3', white: '#c9dcff', tone: '#7f9fdc', shade: '#3a549c', land: '#060a1f', stars: 260 },
  { top: '#0f7f9c', low: '#ffe9b8', white: '#fffdf2', tone: '#ffe3c4', shade: '#83b7bd', land: '#0c3a41', stars: 0 },
  { top: '#4b2a7b', low: '#ff8fa3', white: '#ffe6ec', tone: '#ffb0c2', shade: '#9a5aa6', land: '#22113d', stars: 90 },
]

/** A summer sky with cloud towers, power lines and a small person. */
export const skies: Family = {
  shapes: [WIDE, WIDE, PORTRAIT, TALL],
  draw(random, { width, height }) {
    const hour = random.inTurn(HOURS)
    let defs = linear(
      'sky',
      [0, 0],
      [0, 1],
      [
        [0, hour.top],
        [0.55, mix(hour.top, hour.low, 0.6)],
        [0.88, hour.low],
      ],
    )
    defs += linear(
      'land',
      [0, 0],
      [0, 1],
      [
        [0, hour.land],
        [1, darker(hour.land, 0.4)],
      ],
    )
    let shapes = '<rect width="100%" height="100%" fill="url(#sky)"/>'
    for (let i = 0; i < hour.stars; i++)
      shapes += disc(
        random.between(0, width),
        random.between(0, height * 0.75) * random.unit() ** 0.4,
        random.between(0.6, 2.2),
        '#ffffff',
        `opacity="${n(random.between(0.3, 1))}"`,
      )
    if (hour.stars > 80) for (let i = 0; i < random.whole(1, 4); i++) shapes += comet(random, width, height)
    const ground = height * random.between(0.8, 0.9)
    const side = random.chance(0.5) ? 0.24 : 0.74
    for (let i = 0; i < 5; i++) shapes += streak(random, width, height, hour)
    shapes += cloud(random, hour, width * (1 - side), ground, width * 0.5, height * random.between(0.22, 0.36))
    shapes += cloud(
      random,
      hour,
      width * side,
      ground + height * 0.03,
      width * 0.62,
      height * random.between(0.5, 0.66),
    )
    shapes += cloud(random, hour, width * random.unit(), ground + height * 0.07, width * 1.1, height * 0.2)
    const hill: Point[] = Array.from({ length: 14 }, (_, i) => [
      (i / 12) * width - width * 0.04,
      ground + Math.sin(i * 0.55 + side * 9) * height * 0.03 + random.bell() * height * 0.004,
    ])
    shapes += path(`${curve(hill)}L${n(width * 1.1)} ${n(height + 9)}L-99 ${n(height + 9)}Z`, 'url(#land)')
    shapes += grass(random, hill, hour.land)
    const scene = random.pick(['poles', 'poles', 'figure', 'tree'])
    const at = hill[random.whole(3, 10)]!
    if (scene === 'poles') shapes += poles(random, width, height, ground, hour.land)
    if (scene === 'tree') shapes += tree(random, at[0], at[1], height * 0.2, hour.land)
    shapes += figure(
      random,
      hill[side < 0.5 ? random.whole(7, 10) : random.whole(2, 5)]!,
      height * random.between(0.07, 0.1),
      hour,
    )
    return {
      width,
      height,
      shapes: `<defs>${defs}</defs>${shapes}`,
      finish: { grain: 0.1, bloom: 0.3, vignette: 0.14 },
    }
  },
}
