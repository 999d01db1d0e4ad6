import sharp from 'sharp'
import { darker, lighter } from './colour.ts'
import { texture } from './finish.ts'
import { createRandom, type Random } from './random.ts'
import { closed, disc, n, type Point, path } from './svg.ts'

const SIDE = 480
const SETS = [
  ['#f4ead7', '#e4572e', '#1f4e5f', '#f2b134'],
  ['#12162b', '#ff6f91', '#ffc75f', '#7fd8d4'],
  ['#dfe9e2', '#2f6f5e', '#f26b4e', '#14302b'],
  ['#f3c9b5', '#7b2d43', '#fdf0d5', '#2a4a6b'],
  ['#2a1d3b', '#b79bd0', '#ff9a76', '#f7e7c6'],
  ['#e8b23a', '#1d3b53', '#fff4dc', '#c8402f'],
  ['#bcd8ee', '#1b3fa0', '#ffffff', '#ff6b5e'],
  ['#17292b', '#d8f171', '#2fbf9b', '#f4f1e6'],
] as const

const MARKS = [rings, petals, tiles, profile, peaks, crescent]

/** The avatar of a username: a square JPEG, 480 px. */
export async function renderAvatar(username: string): Promise<Buffer> {
  const random = createRandom(`avatar ${username}`)
  const [ground, ...colours] = random.pick(SETS)
  const art = random.pick(MARKS)(random, colours)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}"><rect width="100%" height="100%" fill="${ground}"/>${art}</svg>`
  const pixels = new Uint8ClampedArray(await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer())
  texture(pixels, { width: SIDE, height: SIDE }, { grain: 0.15, paper: 0.9 })
  return sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .jpeg({ quality: 86 })
    .toBuffer()
}

type Mark = (random: Random, colours: readonly string[]) => string

function rings(...[random, colours]: Parameters<Mark>): string {
  const x = SIDE * random.between(0.35, 0.65)
  const y = SIDE * random.between(0.35, 0.65)
  return Array.from({ length: 6 }, (_, i) =>
    disc(x + i * random.between(-6, 6), y, SIDE * (0.44 - i * 0.07), colours[i % colours.length]!),
  ).join('')
}

function petals(...[random, colours]: Parameters<Mark>): string {
  const count = random.pick([6, 8, 10, 12])
  const leaf = `<path d="M240 240Q${n(random.between(120, 190))} 130 240 40Q${n(random.between(290, 360))} 130 240 240Z"`
  const ring = Array.from(
    { length: count },
    (_, i) => `${leaf} fill="${colours[i % 2]}" transform="rotate(${n((i * 360) / count)} 240 240)"/>`,
  ).join('')
  return ring + disc(240, 240, 46, colours[2]!) + disc(240, 240, 20, darker(colours[2]!, 0.4))
}

function tiles(...[random, colours]: Parameters<Mark>): string {
  let art = ''
  const s = SIDE / 3
  for (let i = 0; i < 9; i++) {
    const quarter = `M0 0h${s}A${s} ${s} 0 0 1 0 ${s}Z`
    art += `<g transform="translate(${n((i % 3) * s)} ${n(Math.floor(i / 3) * s)}) rotate(${random.whole(0, 3) * 90} ${n(s / 2)} ${n(s / 2)})">${path(quarter, colours[i % 3]!)}${disc(s * 0.28, s * 0.28, s * 0.14, colours[(i + 1) % 3]!)}</g>`
  }
  return art
}

/** An abstract head of three shapes. */
function profile(...[random, colours]: Parameters<Mark>): string {
  const [hair, skin, coat] = random.shuffled(colours) as [string, string, string]
  const tilt = random.between(-5, 5)
  const back = random.chance(0.5) ? disc(240, 205, 128, hair) : path('M118 330V200A122 122 0 0 1 362 200V330Z', hair)
  return `<g transform="rotate(${n(tilt)} 240 300)">${back}${path('M205 260h70v90h-70Z', darker(skin, 0.15))}${path('M90 490Q100 340 240 335Q380 340 390 490Z', coat)}${path('M160 190A80 90 0 0 0 320 190L316 150H164Z', skin)}${path(`M150 ${n(random.between(170, 200))}Q160 96 240 100Q330 96 332 190Q280 ${n(random.between(130, 180))} 150 ${n(random.between(150, 190))}Z`, hair)}</g>`
}

function peaks(...[random, colours]: Parameters<Mark>): string {
  let art = disc(SIDE * random.between(0.3, 0.7), 170, 92, colours[1]!)
  for (let i = 0; i < 3; i++) {
    const top: Point[] = [
      [-20, 480],
      [-20, 300 + i * 60],
      [random.between(80, 200), 190 + i * 80],
      [random.between(210, 290), 290 + i * 60],
      [random.between(300, 400), 210 + i * 75],
      [500, 320 + i * 55],
      [500, 480],
    ]
    art += path(closed(top), i === 0 ? lighter(colours[0]!, 0.25) : i === 1 ? colours[0]! : colours[2]!)
  }
  return art
}

function crescent(...[random, colours]: Parameters<Mark>): string {
  const shift = random.between(40, 90)
  let art =
    disc(240, 240, 190, colours[0]!) +
    disc(240 + shift, 240 - shift * 0.6, 150, colours[1]!) +
    disc(240 + shift * 1.3, 240 - shift * 0.8, 96, colours[2]!)
  for (let i = 0; i < 9; i++)
    art += disc(random.between(30, 450), random.between(30, 450), random.between(4, 11), lighter(colours[2]!, 0.4))
  return art
}
