import { darker, lighter } from './colour.ts'
import type { Random } from './random.ts'
import type { Hour } from './sky-clouds.ts'
import { box, disc, n, type Point, path, stroke } from './svg.ts'

export function grass(random: Random, hill: Point[], land: string): string {
  let d = ''
  for (let i = 0; i < 300; i++) {
    const t = random.unit() * (hill.length - 1.01)
    const from = hill[Math.floor(t)]!
    const to = hill[Math.floor(t) + 1]!
    const x = from[0] + (to[0] - from[0]) * (t % 1)
    const y = from[1] + (to[1] - from[1]) * (t % 1)
    d += `M${n(x - 2)} ${n(y + 6)}q${n(random.bell() * 3)} -10 ${n(random.bell() * 8)} ${n(-random.between(10, 26))}q-1 12 ${n(random.between(1, 4))} ${n(random.between(12, 24))}Z`
  }
  return path(d, land)
}

export function poles(random: Random, width: number, height: number, ground: number, land: string): string {
  let art = ''
  const dir = random.chance(0.5) ? 1 : -1
  const tops: Point[] = []
  for (let i = 0; i < 5; i++) {
    const size = height * 0.62 * 0.66 ** i
    const x = width / 2 + dir * width * (0.44 - 0.9 * (1 - 0.62 ** i) * 1.05)
    const y = ground + height * 0.06 - i * 4
    tops.push([x, y - size])
    const w = Math.max(2.5, size * 0.022)
    art += box(x - w / 2, y - size, w, size, land)
    for (const [k, arm] of [0.16, 0.13].entries())
      art +=
        box(x - size * arm, y - size * (0.96 - k * 0.08), size * arm * 2, Math.max(2, w * 0.7), land) +
        box(x - size * arm * 0.9, y - size * (0.985 - k * 0.08), w, w, land) +
        box(x + size * arm * 0.8, y - size * (0.985 - k * 0.08), w, w, land)
    if (i === 0) art += box(x + w * 0.4, y - size * 0.8, w * 1.8, size * 0.1, land, 'rx="3"')
  }
  for (let i = 0; i < tops.length - 1; i++)
    for (const [k, offset] of [-0.15, 0.15, -0.11, 0.11].entries()) {
      const from = tops[i]!
      const to = tops[i + 1]!
      const a = height * 0.62 * 0.66 ** i
      const b = a * 0.66
      const lift = k > 1 ? 0.1 : 0.03
      art += stroke(
        `M${n(from[0] + a * offset)} ${n(from[1] + a * lift)}Q${n((from[0] + to[0]) / 2)} ${n(Math.max(from[1], to[1]) + a * (lift + 0.04))} ${n(to[0] + b * offset)} ${n(to[1] + b * lift)}`,
        land,
        1.8,
      )
    }
  const edge = tops[0]!
  const out = edge[0] + dir * width * 0.4
  for (const offset of [-0.15, 0.15])
    art += stroke(
      `M${n(edge[0] + height * 0.62 * offset)} ${n(edge[1] + 14)}Q${n((edge[0] + out) / 2)} ${n(edge[1] + 40)} ${n(out)} ${n(edge[1] - 60)}`,
      land,
      2.4,
    )
  return art
}

export function tree(random: Random, x: number, y: number, size: number, land: string): string {
  let art = path(
    `M${n(x - size * 0.05)} ${n(y + 12)}Q${n(x)} ${n(y - size * 0.4)} ${n(x - size * 0.03)} ${n(y - size * 0.8)}h${n(size * 0.07)}Q${n(x + size * 0.02)} ${n(y - size * 0.4)} ${n(x + size * 0.07)} ${n(y + 12)}Z`,
    land,
  )
  for (let i = 0; i < 60; i++)
    art += disc(
      x + random.bell() * size * 0.42,
      y - size * (1 + random.bell() * 0.3),
      size * random.between(0.06, 0.15),
      i % 9 ? land : lighter(land, 0.015),
    )
  return art
}

/** A person on the hill, seen from behind. */
export function figure(random: Random, [x, y]: Point, size: number, hour: Hour): string {
  const dark = darker(hour.land, 0.35)
  const head = y - size * 0.86
  let art =
    disc(x, head, size * 0.105, dark) +
    path(
      `M${n(x - size * 0.1)} ${n(head - size * 0.02)}q${n(-size * 0.16)} ${n(size * 0.14)} ${n(-size * 0.3)} ${n(size * 0.1)}q${n(size * 0.16)} ${n(-size * 0.02)} ${n(size * 0.22)} ${n(-size * 0.18)}Z`,
      dark,
    )
  art += path(
    `M${n(x - size * 0.07)} ${n(head + size * 0.08)}h${n(size * 0.15)}L${n(x + size * 0.1)} ${n(y - size * 0.42)}L${n(x + size * 0.19)} ${n(y - size * 0.24)}L${n(x - size * 0.2)} ${n(y - size * 0.26)}L${n(x - size * 0.09)} ${n(y - size * 0.45)}Z`,
    dark,
  )
  art +=
    box(x - size * 0.075, y - size * 0.27, size * 0.05, size * 0.3, dark) +
    box(x + size * 0.035, y - size * 0.27, size * 0.05, size * 0.3, dark)
  if (random.chance(0.55))
    art +=
      stroke(
        `M${n(x + size * 0.08)} ${n(y - size * 0.62)}L${n(x + size * 0.16)} ${n(y - size * 1.2)}`,
        dark,
        size * 0.03,
      ) +
      path(
        `M${n(x - size * 0.22)} ${n(y - size * 1.12)}A${n(size * 0.39)} ${n(size * 0.32)} 0 0 1 ${n(x + size * 0.55)} ${n(y - size * 1.05)}Q${n(x + size * 0.17)} ${n(y - size * 1.16)} ${n(x - size * 0.22)} ${n(y - size * 1.12)}Z`,
        random.pick(['#e8483f', '#f5d547', dark]),
      )
  return art
}
