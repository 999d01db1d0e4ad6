import { darker, lighter, mix } from './colour.ts'
import { type Family, PORTRAIT, SQUARE, TALL } from './drawing.ts'
import { type RobotColours, robotHead } from './robot-head.ts'
import { box, disc, linear, n, path, radial } from './svg.ts'

const SETS: readonly (RobotColours & { back: readonly [string, string] })[] = [
  { back: ['#f4b860', '#e8833a'], shell: '#e9e3d5', trim: '#c83e4d', dark: '#27303f', light: '#7fd8d4' },
  { back: ['#27365a', '#131a30'], shell: '#e7c65c', trim: '#e9573f', dark: '#1a2036', light: '#ffe9a8' },
  { back: ['#e9b7a8', '#cf7f77'], shell: '#4f8a8b', trim: '#fbd46d', dark: '#1f3536', light: '#fff3c9' },
  { back: ['#9cc5b0', '#5d9682'], shell: '#f0e7d8', trim: '#ef7d57', dark: '#2d3a3a', light: '#ffd166' },
  { back: ['#3a1f3d', '#1a0d20'], shell: '#d86c8e', trim: '#f6c177', dark: '#2a1330', light: '#9ff5e0' },
  { back: ['#e6dcc6', '#c9b58d'], shell: '#3b5b92', trim: '#e4572e', dark: '#17223b', light: '#ffe17a' },
  { back: ['#b6312b', '#74161c'], shell: '#efe2c8', trim: '#2f4858', dark: '#1b1b22', light: '#ffd27d' },
]

/** Portraits of robots. */
export const robots: Family = {
  shapes: [PORTRAIT, TALL, SQUARE],
  draw(random, { width, height }) {
    const set = random.inTurn(SETS)
    const cx = width / 2
    const unit = Math.min(width, height * 0.86) / 100
    const shoulder = height - unit * 22
    const head = robotHead(random, set, { x: cx, y: shoulder - unit * 40, unit })
    const backdrop = random.pick(['rays', 'disc', 'bars'])
    let defs = radial('back', [0.5, 0.42], 0.8, [
      [0, set.back[0]],
      [1, set.back[1]],
    ])
    defs += linear(
      'side',
      [0, 0],
      [1, 0],
      [
        [0.35, darker(set.dark, 0.2), 0],
        [1, darker(set.dark, 0.2), 0.72],
      ],
    )
    defs += linear(
      'fall',
      [0, 0],
      [0, 1],
      [
        [0, darker(set.back[1], 0.3), 0],
        [1, darker(set.back[1], 0.5), 0.6],
      ],
    )
    let scene = '<rect width="100%" height="100%" fill="url(#back)"/>'
    const pale = lighter(set.back[0], 0.35)
    if (backdrop === 'rays')
      for (let i = 0; i < 24; i += 2) {
        const a = (i / 24) * Math.PI * 2
        const b = ((i + 1) / 24) * Math.PI * 2
        const y = height * 0.42
        scene += path(
          `M${n(cx)} ${n(y)}L${n(cx + Math.cos(a) * 1400)} ${n(y + Math.sin(a) * 1400)}L${n(cx + Math.cos(b) * 1400)} ${n(y + Math.sin(b) * 1400)}Z`,
          pale,
          'opacity="0.22"',
        )
      }
    if (backdrop === 'bars')
      for (let i = 0; i < 9; i++)
        scene += box(0, height * (0.08 + i * 0.1), width, height * 0.05 * (1 - i / 12), pale, 'opacity="0.2"')
    if (backdrop !== 'bars')
      scene += disc(cx, height * 0.42, unit * 40, pale, `opacity="${backdrop === 'disc' ? 0.9 : 0.45}"`)
    const wide = unit * random.between(32, 40)
    const neck = unit * random.between(7, 11)
    const torso = `M${n(cx - wide)} ${n(height + 5)}L${n(cx - wide)} ${n(shoulder + unit * 10)}Q${n(cx - wide)} ${n(shoulder)} ${n(cx - wide + unit * 10)} ${n(shoulder)}L${n(cx + wide - unit * 10)} ${n(shoulder)}Q${n(cx + wide)} ${n(shoulder)} ${n(cx + wide)} ${n(shoulder + unit * 10)}L${n(cx + wide)} ${n(height + 5)}Z`
    scene += box(cx - neck, shoulder - unit * 16, neck * 2, unit * 18, set.dark)
    for (let i = 0; i < 4; i++)
      scene += box(
        cx - neck - unit,
        shoulder - unit * (13 - i * 3.4),
        neck * 2 + unit * 2,
        unit * 1.7,
        mix(set.dark, set.shell, 0.45),
        `rx="${n(unit)}"`,
      )
    scene +=
      path(torso, set.shell) +
      box(cx - wide * 0.55, shoulder + unit * 5, wide * 1.1, unit * 30, darker(set.shell, 0.14), `rx="${n(unit * 2)}"`)
    for (const side of [-1, 1]) {
      scene +=
        disc(cx + side * wide, shoulder + unit * 10, unit * 8.5, set.trim) +
        disc(cx + side * wide, shoulder + unit * 10, unit * 5.4, darker(set.trim, 0.35)) +
        disc(cx + side * wide, shoulder + unit * 10, unit * 2.2, lighter(set.trim, 0.3))
    }
    const lamp = random.whole(2, 4)
    for (let i = 0; i < lamp; i++)
      scene += disc(
        cx - wide * 0.4 + i * unit * 6.4,
        shoulder + unit * 11,
        unit * 2.1,
        i === 0 ? set.light : mix(set.trim, set.dark, i * 0.25),
      )
    scene += box(cx + wide * 0.12, shoulder + unit * 9, wide * 0.32, unit * 4, set.dark, `rx="${n(unit)}"`)
    const spray =
      path(torso, 'url(#side)') +
      head.silhouette('url(#side)') +
      box(0, height * 0.55, width, height * 0.45, 'url(#fall)', 'opacity="0.55"')
    return {
      width,
      height,
      shapes: `<defs>${defs}</defs>${scene}${head.shapes}`,
      spray: `<defs>${defs}</defs>${spray}`,
      finish: { grain: 0.16, paper: 1, vignette: 0.2 },
    }
  },
}
