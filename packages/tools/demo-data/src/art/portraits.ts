import { darker, lighter, mix } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { face } from './face.ts'
import { fringe, lock } from './hair.ts'
import type { Random } from './random.ts'
import { disc, n, path, radial } from './svg.ts'

const SETS = [
  {
    back: ['#ffd3b0', '#ff8a7a'],
    hair: '#2b2350',
    shine: '#6a5bd0',
    skin: '#ffe3cf',
    eye: '#2fa7a0',
    cloth: '#f6f1ea',
    petal: '#fff3e6',
  },
  {
    back: ['#bfe6ee', '#5fa3d3'],
    hair: '#e8e2f2',
    shine: '#b6a5e0',
    skin: '#ffe8da',
    eye: '#c2475f',
    cloth: '#27385e',
    petal: '#ffffff',
  },
  {
    back: ['#2a2a66', '#12123a'],
    hair: '#ff7a9c',
    shine: '#ffc2b0',
    skin: '#ffe0d0',
    eye: '#5c6df0',
    cloth: '#f2e9ff',
    petal: '#9ab0ff',
  },
  {
    back: ['#f7e3a8', '#e9a94a'],
    hair: '#6e2a24',
    shine: '#d9653f',
    skin: '#f4cfae',
    eye: '#3c7a4f',
    cloth: '#24403f',
    petal: '#fffbe8',
  },
  {
    back: ['#d4ecd6', '#77b79a'],
    hair: '#1f2d33',
    shine: '#4d8f93',
    skin: '#e9b995',
    eye: '#d98a2b',
    cloth: '#e4553f',
    petal: '#fff9e6',
  },
  {
    back: ['#e9d4f5', '#a57fd0'],
    hair: '#f2c14e',
    shine: '#fff0b8',
    skin: '#ffe6d6',
    eye: '#5a3aa8',
    cloth: '#2b1f47',
    petal: '#ffe0f0',
  },
  {
    back: ['#c8393b', '#7d1328'],
    hair: '#14141c',
    shine: '#55506e',
    skin: '#fbe2cf',
    eye: '#a5182e',
    cloth: '#f7efe2',
    petal: '#ffd9c9',
  },
]

/** A portrait in the style of an animated film, with hair in the wind. */
export const portraits: Family = {
  shapes: [PORTRAIT, PORTRAIT, TALL, SQUARE],
  draw(random, { width, height }) {
    const set = random.inTurn(SETS)
    const u = Math.min(width, height * 0.84) / 100
    const cx = width * random.between(0.46, 0.54)
    const cy = height * 0.46
    const wind = random.between(-1, 1)
    let defs = radial('back', [0.5, 0.4], 0.75, [
      [0, lighter(set.back[0]!, 0.25)],
      [0.5, set.back[0]!],
      [1, set.back[1]!],
    ])
    defs += `<linearGradient id="hair" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${set.hair}"/><stop offset="1" stop-color="${mix(set.hair, set.shine, 0.55)}"/></linearGradient>`
    let shapes = '<rect width="100%" height="100%" fill="url(#back)"/>'
    const moon = random.chance(0.75)
    if (moon)
      shapes += disc(
        cx + width * random.between(-0.14, 0.14),
        height * 0.38,
        u * random.between(36, 46),
        mix(set.back[0]!, set.petal, 0.45),
        'opacity="0.8"',
      )
    shapes += petals(random, width, height, set.petal, 14, 0.7)
    for (let i = 0; i < 46; i++)
      shapes += lock(
        random,
        cx,
        cy,
        u,
        wind,
        random.between(-1, 1),
        random.between(46, 84),
        i % 5 === 0 ? set.shine : i % 3 === 0 ? mix(set.hair, set.shine, 0.3) : set.hair,
      )
    shapes += path(
      `M${n(cx - 26 * u)} ${n(cy + 6 * u)}C${n(cx - 33 * u)} ${n(cy - 46 * u)} ${n(cx + 33 * u)} ${n(cy - 46 * u)} ${n(cx + 26 * u)} ${n(cy + 6 * u)}L${n(cx + 20 * u)} ${n(cy + 40 * u)}L${n(cx - 20 * u)} ${n(cy + 40 * u)}Z`,
      darker(set.hair, 0.25),
    )
    shapes += path(
      `M${n(cx - 7 * u)} ${n(cy + 18 * u)}L${n(cx - 7.5 * u)} ${n(cy + 36 * u)}Q${n(cx - 40 * u)} ${n(cy + 40 * u)} ${n(cx - 48 * u)} ${n(height + 9)}L${n(cx + 48 * u)} ${n(height + 9)}Q${n(cx + 40 * u)} ${n(cy + 40 * u)} ${n(cx + 7.5 * u)} ${n(cy + 36 * u)}L${n(cx + 7 * u)} ${n(cy + 18 * u)}Z`,
      mix(set.skin, '#d98c7a', 0.22),
    )
    shapes += path(
      `M${n(cx - 12 * u)} ${n(cy + 36 * u)}Q${n(cx - 42 * u)} ${n(cy + 42 * u)} ${n(cx - 50 * u)} ${n(height + 9)}L${n(cx + 50 * u)} ${n(height + 9)}Q${n(cx + 42 * u)} ${n(cy + 42 * u)} ${n(cx + 12 * u)} ${n(cy + 36 * u)}L${n(cx)} ${n(cy + 56 * u)}Z`,
      set.cloth,
    )
    shapes += path(
      `M${n(cx - 13 * u)} ${n(cy + 35 * u)}L${n(cx)} ${n(cy + 57 * u)}L${n(cx - 8 * u)} ${n(cy + 62 * u)}L${n(cx - 21 * u)} ${n(cy + 39 * u)}ZM${n(cx + 13 * u)} ${n(cy + 35 * u)}L${n(cx)} ${n(cy + 57 * u)}L${n(cx + 8 * u)} ${n(cy + 62 * u)}L${n(cx + 21 * u)} ${n(cy + 39 * u)}Z`,
      mix(set.cloth, set.eye, 0.55),
    )
    const look = face(random, { cx, cy, u }, set)
    shapes += look
    shapes += fringe(random, cx, cy, u, wind, set.hair, set.shine)
    shapes += petals(random, width, height, set.petal, 9, 1.5)
    const dark = darker(set.hair, 0.2)
    defs += `<linearGradient id="low" x1="0" y1="0" x2="0" y2="1"><stop offset="0.72" stop-color="${dark}" stop-opacity="0"/><stop offset="1" stop-color="${dark}" stop-opacity="0.34"/></linearGradient>`
    return {
      width,
      height,
      shapes: `<defs>${defs}</defs>${shapes}`,
      spray: `<defs>${defs}</defs><rect width="100%" height="100%" fill="url(#low)"/>`,
      finish: { grain: 0.12, paper: 0.8, bloom: 0.12, vignette: 0.16 },
    }
  },
}

function petals(random: Random, width: number, height: number, colour: string, count: number, size: number): string {
  let art = ''
  for (let i = 0; i < count; i++) {
    const s = random.between(7, 15) * size
    art += `<path d="M0 0Q${n(s)} ${n(-s)} ${n(s * 2)} 0Q${n(s)} ${n(s)} 0 0Z" fill="${colour}" opacity="${n(random.between(0.6, 1))}" transform="translate(${n(random.between(0, width))} ${n(random.between(0, height))}) rotate(${random.whole(0, 359)})"/>`
  }
  return art
}
