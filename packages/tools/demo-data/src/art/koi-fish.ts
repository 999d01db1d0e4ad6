import { darker, lighter, mix } from './colour.ts'
import type { Random } from './random.ts'
import { curve, disc, n, type Point, path, stroke } from './svg.ts'

type Pose = { x: number; y: number; heading: number; long: number; bend: number }

/** One koi, bent along its path: its shapes, and the shading of its sides. */
export function swim(
  random: Random,
  { x, y, heading, long, bend }: Pose,
  [base, patch]: readonly string[],
  deep: string,
) {
  const spine: { x: number; y: number; a: number }[] = []
  const steps = 24
  let [px, py, a] = [x + (Math.cos(heading) * long) / 2, y + (Math.sin(heading) * long) / 2, heading + Math.PI]
  const wave = random.between(0.3, 0.7)
  for (let i = 0; i <= steps; i++) {
    spine.push({ x: px, y: py, a })
    a += (bend / steps) * 1.1 + Math.sin((i / steps) * 5) * wave * 0.06
    px += (Math.cos(a) * long) / steps
    py += (Math.sin(a) * long) / steps
  }
  const girth = (t: number) =>
    long * 0.125 * Math.sin(Math.PI * Math.min(1, t * 0.93 + 0.035)) ** 0.62 * (1 - t * 0.55) + long * 0.008
  const at = (t: number, side: number): Point => {
    const s = spine[Math.min(steps, Math.max(0, Math.round(t * steps)))]!
    return [s.x + Math.cos(s.a + Math.PI / 2) * side, s.y + Math.sin(s.a + Math.PI / 2) * side]
  }
  const ring = (inset: number): Point[] => {
    const left: Point[] = []
    const right: Point[] = []
    for (let i = 0; i <= steps; i++) {
      left.push(at(i / steps, girth(i / steps) * inset))
      right.push(at(i / steps, -girth(i / steps) * inset))
    }
    return [...left, ...right.reverse(), left[0]!]
  }
  const outline = curve(ring(1))
  const [tipX, tipY] = at(0, 0)
  const nose = disc(tipX, tipY, girth(0) * 0.98, base!)
  const fin = (t: number, side: number, size: number) => {
    const s = spine[Math.round(t * steps)]!
    const root = at(t, side * girth(t) * 0.85)
    const out = s.a + side * 0.95
    const tips: Point[] = [-0.5, -0.2, 0.15, 0.45].map((d, i) => [
      root[0] + Math.cos(out - d * side) * size * (1 - i * 0.12),
      root[1] + Math.sin(out - d * side) * size * (1 - i * 0.12),
    ])
    const rays = tips
      .map(([tx, ty]) =>
        stroke(`M${n(root[0])} ${n(root[1])}L${n(tx)} ${n(ty)}`, darker(base!, 0.25), 1.4, 'opacity="0.5"'),
      )
      .join('')
    return path(`${curve([root, ...tips, root])}Z`, lighter(base!, 0.25), 'opacity="0.72"') + rays
  }
  const end = spine[steps]!
  const tailTips: Point[] = [-0.62, -0.3, -0.06, 0.06, 0.3, 0.62].map((d) => [
    end.x + Math.cos(end.a + d) * long * (Math.abs(d) < 0.1 ? 0.1 : 0.25),
    end.y + Math.sin(end.a + d) * long * (Math.abs(d) < 0.1 ? 0.1 : 0.25),
  ])
  const tail =
    path(`${curve([[end.x, end.y], ...tailTips, [end.x, end.y]])}Z`, lighter(base!, 0.2), 'opacity="0.8"') +
    tailTips
      .map(([tx, ty]) =>
        stroke(`M${n(end.x)} ${n(end.y)}L${n(tx)} ${n(ty)}`, darker(base!, 0.25), 1.2, 'opacity="0.45"'),
      )
      .join('')
  let marks = ''
  const id = `k${Math.round(x)}${Math.round(y)}`
  for (let i = 0; i < random.whole(3, 6); i++) {
    const t = random.between(0.02, 0.9)
    const [mx, my] = at(t, girth(t) * random.between(-0.6, 0.6))
    const r = girth(t) * random.between(0.6, 1.15)
    const blot: Point[] = Array.from({ length: 8 }, (_, k) => [
      mx + Math.cos(k / 1.2732) * r * random.between(0.7, 1.4),
      my + Math.sin(k / 1.2732) * r * random.between(0.7, 1.4),
    ])
    marks += path(`${curve([...blot, blot[0]!])}Z`, patch!)
  }
  const scales = [-0.5, -0.17, 0.17, 0.5]
    .map((side) =>
      stroke(
        curve(Array.from({ length: 9 }, (_, i) => at(0.22 + i * 0.08, girth(0.22 + i * 0.08) * side))),
        mix(base!, deep, 0.35),
        1.6,
        'stroke-dasharray="7 7" opacity="0.4"',
      ),
    )
    .join('')
  const eyes = [0.62, -0.62]
    .map((side) => {
      const [ex, ey] = at(0.085, girth(0.085) * side)
      return disc(ex, ey, long * 0.0125, '#15171c')
    })
    .join('')
  const fins =
    fin(0.24, 1, long * 0.21) + fin(0.24, -1, long * 0.21) + fin(0.62, 1, long * 0.11) + fin(0.62, -1, long * 0.11)
  const shadow = `<g transform="translate(${n(long * 0.05)} ${n(long * 0.09)})" fill-opacity="0.3">${path(outline, darker(deep, 0.55))}${path(`${curve([[end.x, end.y], ...tailTips, [end.x, end.y]])}Z`, darker(deep, 0.55))}</g>`
  const dorsal = stroke(
    curve(Array.from({ length: 8 }, (_, i) => at(0.32 + i * 0.055, 0))),
    lighter(patch!, 0.15),
    long * 0.02,
    'stroke-linecap="round" opacity="0.85"',
  )
  return {
    shapes: `<clipPath id="${id}"><path d="${outline}"/></clipPath>${shadow}${fins}${tail}${nose}${path(outline, base!)}<g clip-path="url(#${id})">${marks}${scales}</g>${dorsal}${eyes}`,
    spray: `<clipPath id="${id}"><path d="${outline}"/></clipPath><g clip-path="url(#${id})">${stroke(outline, darker(mix(base!, deep, 0.4), 0.3), long * 0.035, 'opacity="0.3"')}${stroke(outline, darker(mix(base!, deep, 0.4), 0.3), long * 0.075, 'opacity="0.22"')}</g>`,
  }
}
