import { darker, lighter, mix } from './colour.ts'
import { type Family, LANDSCAPE, SQUARE } from './drawing.ts'
import type { Random } from './random.ts'
import { box, closed, curve, disc, linear, mirrored, n, type Point, path, radial, stroke } from './svg.ts'

const SETS = [
  { ground: '#d9a441', glow: '#f3cf7a', wing: ['#f8ecd4', '#3c4a5c', '#171d29'], mark: '#e2572f', eye: '#f2b134' },
  { ground: '#7d2a2c', glow: '#b5483f', wing: ['#f1d9b0', '#d98e4a', '#3d1a14'], mark: '#fff3df', eye: '#274b5f' },
  { ground: '#10141c', glow: '#2a3a4c', wing: ['#e8c07d', '#b5651d', '#4a2511'], mark: '#f7ead0', eye: '#1b2a41' },
  { ground: '#f1e8d8', glow: '#fffaf0', wing: ['#d1603d', '#8c2f39', '#3a1321'], mark: '#f6d6a8', eye: '#1d3557' },
  { ground: '#0e1a17', glow: '#23443a', wing: ['#cfe8b4', '#6fb98f', '#1f6650'], mark: '#fbf6dc', eye: '#a4303f' },
  { ground: '#ece4ee', glow: '#ffffff', wing: ['#7d6bb3', '#46377a', '#1c1638'], mark: '#f3c98b', eye: '#e85d75' },
  { ground: '#1a0f1d', glow: '#4a2140', wing: ['#ffb4a2', '#d6336c', '#5a1846'], mark: '#ffe5d0', eye: '#3ddbd9' },
  { ground: '#e4e9e4', glow: '#ffffff', wing: ['#4ba3c3', '#1f5f8b', '#0c2340'], mark: '#f4e04d', eye: '#f25f3a' },
]

/** A symmetric moth on a wall. */
export const moths: Family = {
  shapes: [LANDSCAPE, SQUARE],
  draw(random, { width, height }) {
    const set = random.inTurn(SETS)
    const cx = width / 2
    const tail = random.chance(0.45) ? random.between(0.2, 0.5) : random.between(-0.1, 0.06)
    const lift = random.between(0.3, 0.7)
    const reach = random.between(0.88, 1.04)
    const span = Math.min(width * 0.42, (height * 0.84) / (lift + 0.85 + Math.max(0, tail)))
    const cy = height / 2 + (span * (lift - 0.5 - Math.max(0, tail))) / 2
    const fore: Point[] = [
      [0, -0.1],
      [0.28, -lift * 0.72],
      [0.66, -lift - 0.12],
      [reach, -lift - random.between(0.0, 0.24)],
      [reach - random.between(-0.02, 0.16), -lift * 0.4],
      [random.between(0.7, 0.86), -0.02 - random.between(-0.06, 0.12)],
      [0.42, 0.06],
      [0, 0.06],
    ]
    const hind: Point[] = [
      [0, 0],
      [0.4, 0],
      [random.between(0.6, 0.8), 0.16],
      [random.between(0.52, 0.76), 0.42],
      [0.46 - tail * 0.1, 0.6 + tail],
      [0.3 - tail * 0.1, 0.62 + tail],
      [0.24, 0.52],
      [0.06, 0.3],
      [0, 0.1],
    ]
    let defs = radial('glow', [0.5, 0.5], 0.62, [
      [0, set.glow, 0.9],
      [1, set.ground, 0],
    ])
    defs += radial('fore', [0.1, 0.9], 1.15, [
      [0, set.wing[2]!],
      [0.45, set.wing[1]!],
      [0.8, set.wing[0]!],
      [1, set.wing[1]!],
    ])
    defs += radial('hind', [0.1, 0.1], 1.1, [
      [0, set.wing[2]!],
      [0.5, set.wing[0]!],
      [0.82, set.wing[1]!],
      [1, set.wing[2]!],
    ])
    defs += linear(
      'dust',
      [0, 0.5],
      [1, 0.2],
      [
        [0, darker(set.wing[2]!, 0.5), 0.75],
        [0.5, set.wing[2]!, 0],
        [0.8, set.wing[2]!, 0.05],
        [1, darker(set.wing[2]!, 0.4), 0.6],
      ],
    )
    const right =
      wing(random, place(hind, cx, cy, span), set, 'hind') + wing(random, place(fore, cx, cy, span), set, 'fore')
    const shade = [hind, fore].map((w) => path(`${curve(place(w, cx, cy, span))}Z`, 'url(#dust)')).join('')
    const cast = [hind, fore].map((w) => path(`${curve(place(w, cx, cy, span))}Z`, darker(set.ground, 0.7))).join('')
    const frame = random.chance(0.5)
      ? box(34, 34, width - 68, height - 68, 'none', `stroke="${mix(set.ground, set.mark, 0.45)}" stroke-width="2"`)
      : ''
    const shapes = `<defs>${defs}</defs><rect width="100%" height="100%" fill="${set.ground}"/><rect width="100%" height="100%" fill="url(#glow)"/>${frame}
      <g fill-opacity="0.14" transform="translate(16 26)">${mirrored(cast, cx)}</g><g fill-opacity="0.16" transform="translate(7 12)">${mirrored(cast, cx)}</g>
      ${mirrored(right, cx)}${body(random, cx, cy, span, set)}`
    return {
      width,
      height,
      shapes,
      spray: `<defs>${defs}</defs>${mirrored(shade, cx)}`,
      finish: { grain: 0.12, paper: 0.9, vignette: 0.2 },
    }
  },
}

type Set = (typeof SETS)[number]

const place = (list: readonly Point[], cx: number, cy: number, span: number): Point[] =>
  list.map(([x, y]) => [cx + x * span, cy + y * span])

/** One wing with bands that follow its edge, veins from its root and an eye. */
function wing(random: Random, edge: Point[], set: Set, fill: string): string {
  const root = edge[0]!
  const inward = (share: number): Point[] =>
    edge.map(([x, y]) => [root[0] + (x - root[0]) * share, root[1] + (y - root[1]) * share])
  let art = path(`${curve(edge)}Z`, `url(#${fill})`)
  const bands = random.whole(2, 4)
  for (let b = 0; b < bands; b++) {
    const share = 0.93 - b * random.between(0.06, 0.13)
    const colour = b % 2 ? set.wing[2]! : set.mark
    art += stroke(
      curve(inward(share).slice(1, -1)),
      colour,
      random.between(3, 13),
      `opacity="${b % 2 ? 0.7 : 0.85}" ${random.chance(0.3) ? 'stroke-dasharray="3 9" stroke-linecap="round"' : ''}`,
    )
  }
  const outer = edge.slice(1, -1)
  for (let i = 0; i < outer.length - 1; i++)
    for (const part of [0.15, 0.5, 0.85]) {
      const x = outer[i]![0] + (outer[i + 1]![0] - outer[i]![0]) * part
      const y = outer[i]![1] + (outer[i + 1]![1] - outer[i]![1]) * part
      art += `<path d="M${n(root[0])} ${n(root[1])}Q${n((root[0] + x) / 2)} ${n((root[1] + y) / 2 + 14)} ${n(x)} ${n(y)}" fill="none" stroke="${darker(set.wing[2]!, 0.3)}" stroke-width="1.7" opacity="0.42"/>`
      art += disc(
        root[0] + (x - root[0]) * 0.95,
        root[1] + (y - root[1]) * 0.95,
        random.between(2.5, 5),
        set.mark,
        'opacity="0.8"',
      )
    }
  const far = random.between(0.5, 0.62)
  const mid = edge[fill === 'fore' ? 3 : 3]!
  const ex = root[0] + (mid[0] - root[0]) * far
  const ey = root[1] + (mid[1] - root[1]) * (far - 0.04)
  const size = Math.abs(mid[0] - root[0]) * random.between(0.09, 0.13)
  art +=
    disc(ex, ey, size * 1.3, darker(set.wing[2]!, 0.35)) +
    disc(ex, ey, size, set.mark) +
    disc(ex, ey, size * 0.74, set.eye)
  return (
    art +
    disc(ex, ey, size * 0.4, darker(set.eye, 0.65)) +
    disc(ex - size * 0.24, ey - size * 0.26, size * 0.13, '#ffffff')
  )
}

function body(random: Random, cx: number, cy: number, span: number, set: Set): string {
  const long = span * random.between(0.34, 0.44)
  const wide = span * 0.068
  const fur = darker(set.wing[2]!, 0.25)
  const half: Point[] = [
    [cx, cy - span * 0.24],
    [cx + wide * 0.8, cy - span * 0.2],
    [cx + wide, cy - span * 0.06],
    [cx + wide * 0.9, cy + long * 0.4],
    [cx, cy + long],
  ]
  let art = mirrored(closed(half) && path(`${curve(half)}Z`, fur), cx)
  for (let i = 0; i < 8; i++) {
    const y = cy + long * (0.05 + i * 0.105)
    const w = wide * (0.9 - i * 0.085)
    art += stroke(
      `M${n(cx - w)} ${n(y - 5)}Q${n(cx)} ${n(y + 9)} ${n(cx + w)} ${n(y - 5)}`,
      mix(set.wing[0]!, set.wing[1]!, i / 8),
      5,
    )
  }
  for (let i = 0; i < 46; i++) {
    const a = random.between(-0.4, 3.54)
    const r = wide * random.between(0.5, 1.25)
    const y = cy - span * 0.11
    art += stroke(
      `M${n(cx)} ${n(y)}L${n(cx + Math.cos(a) * r)} ${n(y - Math.sin(a) * r * 1.4)}`,
      mix(set.mark, set.wing[0]!, random.unit()),
      2.2,
      'opacity="0.8"',
    )
  }
  const head = cy - span * 0.23
  const antenna = stroke(
    `M${n(cx + 4)} ${n(head)}Q${n(cx + span * 0.08)} ${n(head - span * 0.2)} ${n(cx + span * 0.24)} ${n(head - span * 0.24)}`,
    lighter(fur, 0.2),
    3,
    'stroke-linecap="round"',
  )
  let comb = ''
  for (let i = 2; i < 16; i++) {
    const t = i / 16
    const x = cx + 4 * (1 - t) + span * (0.16 * t * (1 - t) + 0.24 * t * t)
    const y = head - span * (0.4 * t * (1 - t) + 0.24 * t * t)
    comb += stroke(`M${n(x)} ${n(y)}l${n(-6 + t * 8)} ${n(-20 * (1 - t * 0.6))}`, lighter(fur, 0.2), 1.6)
  }
  return art + mirrored(antenna + comb + disc(cx + wide * 0.5, head + 2, wide * 0.36, darker(set.eye, 0.4)), cx)
}
