import { darker, lighter, mix } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { robotHead } from './robot-head.ts'
import { box, n } from './svg.ts'

const SETS = [
  ['#e4572e', '#17bebb', '#ffc914', '#2e282a', '#f3ead7'],
  ['#264653', '#2a9d8f', '#e9c46a', '#f4a261', '#e76f51'],
  ['#3d348b', '#f18701', '#f7b801', '#e6e1f5', '#7678ed'],
  ['#1d3557', '#e63946', '#f1e4d1', '#a8c6cf', '#f4a259'],
  ['#2d1e2f', '#ff8fa3', '#9ad1c4', '#f7d08a', '#e05780'],
]

/** A grid of robots, each one different. */
export const parade: Family = {
  shapes: [SQUARE, PORTRAIT, TALL],
  draw(random, { width, height }) {
    const colours = random.inTurn(SETS)
    const across = random.pick([2, 3, 3, 4])
    const down = Math.round((height / width) * across)
    const border = random.pick([0, 26])
    const w = (width - border * 2) / across
    const h = (height - border * 2) / down
    const paper = '#f2ead9'
    let defs = `<linearGradient id="side" x1="0" y1="0" x2="1" y2="0"><stop offset="0.4" stop-color="#0c0c16" stop-opacity="0"/><stop offset="1" stop-color="#0c0c16" stop-opacity="0.6"/></linearGradient>`
    defs += `<linearGradient id="low" x1="0" y1="0" x2="0" y2="1"><stop offset="0.45" stop-color="#0c0c16" stop-opacity="0"/><stop offset="1" stop-color="#0c0c16" stop-opacity="0.42"/></linearGradient>`
    let shapes = `<rect width="100%" height="100%" fill="${paper}"/>`
    let spray = ''
    for (let i = 0; i < across * down; i++) {
      const x = border + (i % across) * w
      const y = border + Math.floor(i / across) * h
      const [back, shell, trim, light] = random.shuffled(colours)
      const unit = Math.min(w, h) / 100
      const set = {
        shell: shell!,
        trim: trim === shell ? paper : trim!,
        dark: mix(darker(back!, 0.7), '#14141c', 0.5),
        light: lighter(light!, 0.5),
      }
      const head = robotHead(random, set, { x: x + w / 2, y: y + h * 0.5, unit: unit * 0.98 })
      const gap = border ? 5 : 0
      const id = `c${i}`
      const frame = box(x + gap, y + gap, w - gap * 2, h - gap * 2, back!)
      defs += `<clipPath id="${id}">${frame}</clipPath>`
      const neck =
        box(x + w / 2 - unit * 8, y + h * 0.7, unit * 16, h * 0.3, set.dark) +
        box(x + w / 2 - unit * 34, y + h - unit * 11, unit * 68, unit * 30, set.trim, `rx="${n(unit * 8)}"`)
      shapes += `${frame}<g clip-path="url(#${id})">${neck}${head.shapes}</g>`
      spray += `<g clip-path="url(#${id})">${head.silhouette('url(#side)')}${box(x, y, w, h, 'url(#low)')}</g>`
    }
    return {
      width,
      height,
      shapes: `<defs>${defs}</defs>${shapes}`,
      spray: `<defs>${defs}</defs>${spray}`,
      finish: { grain: 0.15, paper: 1, vignette: 0.06 },
    }
  },
}
