export type Bead = { x: number; y: number; z: number }
export type Canvas = { pixels: Uint8ClampedArray; width: number; height: number; depth: Float32Array }
type Skin = { radius: number; stripes: number; skin: Uint8Array; second: Uint8Array }

/** Shadows are soft: one value for 8 × 8 pixels is enough. */
export const COARSE = 8

const LIGHT = { x: -0.48, y: -0.62, z: 0.62 }

/** Draws a line of spheres as a round tube with depth, so that it passes over and under itself. */
export function paintTube(canvas: Canvas, beads: readonly Bead[], skin: Skin): void {
  const last = beads.length - 1
  for (let i = 0; i < last; i++) paintPiece(canvas, beads[i]!, beads[i + 1]!, skin, i / last, 1 / last)
}

/** Brightness of the ground under the tubes, 0 … 1. */
export function shadowOf(lines: readonly Bead[][], radius: number, width: number, height: number): Float32Array {
  const columns = Math.ceil(width / COARSE) + 2
  const rows = Math.ceil(height / COARSE) + 2
  const light = new Float32Array(columns * rows).fill(1)
  const wide = (radius * 1.6) / COARSE
  for (const line of lines)
    for (const bead of line) {
      const cx = (bead.x + radius * 0.9) / COARSE
      const cy = (bead.y + radius * 1.25) / COARSE
      for (let y = Math.max(0, Math.floor(cy - wide)); y <= Math.min(rows - 1, cy + wide); y++)
        for (let x = Math.max(0, Math.floor(cx - wide)); x <= Math.min(columns - 1, cx + wide); x++) {
          const far = ((x - cx) ** 2 + (y - cy) ** 2) / (wide * wide)
          if (far < 1) light[y * columns + x]! *= 1 - 0.09 * (1 - far)
        }
    }
  return light
}

export function shadeAt(shade: Float32Array, x: number, y: number, columns: number): number {
  const cx = x / COARSE
  const cy = y / COARSE
  const xi = Math.floor(cx)
  const fx = cx - xi
  const yi = Math.floor(cy)
  const at = yi * columns + xi
  const upper = shade[at]! + (shade[at + 1]! - shade[at]!) * fx
  const lower = shade[at + columns]! + (shade[at + columns + 1]! - shade[at + columns]!) * fx
  return 0.35 + 0.65 * (upper + (lower - upper) * (cy - yi))
}

function paintPiece(
  { pixels, width, height, depth }: Canvas,
  from: Bead,
  to: Bead,
  skin: Skin,
  at: number,
  share: number,
): void {
  const { radius, stripes } = skin
  const sx = to.x - from.x
  const sy = to.y - from.y
  const sz = to.z - from.z
  const length2 = sx * sx + sy * sy || 0.01
  const tilt = sz / Math.sqrt(length2 + sz * sz) / Math.sqrt(length2)
  const r2 = radius * radius
  const edge = radius + 1
  const edge2 = edge * edge
  const nearest = Math.max(from.z, to.z) + radius
  const x0 = Math.max(0, Math.floor(Math.min(from.x, to.x) - edge))
  const x1 = Math.min(width - 1, Math.ceil(Math.max(from.x, to.x) + edge))
  const y0 = Math.max(0, Math.floor(Math.min(from.y, to.y) - edge))
  const y1 = Math.min(height - 1, Math.ceil(Math.max(from.y, to.y) + edge))
  for (let y = y0; y <= y1; y++)
    for (let x = x0; x <= x1; x++) {
      const spot = y * width + x
      if (nearest <= depth[spot]!) continue
      const rx = x - from.x
      const ry = y - from.y
      const along = (rx * sx + ry * sy) / length2
      const px = rx - along * sx
      const py = ry - along * sy
      const across = px * px + py * py
      if (across > edge2) continue
      const lean = across < r2 ? Math.sqrt(r2 - across) * tilt : 0
      const t = Math.min(1, Math.max(0, along + lean))
      const nx = rx - t * sx
      const ny = ry - t * sy
      const d2 = nx * nx + ny * ny
      if (d2 > edge2) continue
      const up = d2 < r2 ? Math.sqrt(r2 - d2) : 0
      const z = from.z + sz * t + up
      if (z <= depth[spot]! + 0.01) continue
      const cover = Math.min(1, edge - Math.sqrt(d2))
      if (cover >= 0.5) depth[spot] = z
      const place = at + t * share
      const table = stripes > 0 && Math.floor(place * stripes * 4) % 2 === 1 ? skin.second : skin.skin
      const lit = (nx * LIGHT.x + ny * LIGHT.y + up * LIGHT.z) / radius
      const l2 = lit > 0 ? lit * lit : 0
      const l8 = l2 * l2 * l2 * l2
      const shine = l8 * l8 * l8 * 110
      const wrap = (Math.sin(place * 12.566) + 1) * 0.2
      const tone = Math.min(1023, Math.max(0, Math.floor((lit * 0.5 + 0.16 + wrap) * 1023))) * 3
      const light = 0.34 + 0.66 * Math.min(1, lit * 0.7 + 0.62) * (0.7 + (0.3 * up) / radius)
      const p = spot * 3
      pixels[p]! += (table[tone]! * light + shine - pixels[p]!) * cover
      pixels[p + 1]! += (table[tone + 1]! * light + shine - pixels[p + 1]!) * cover
      pixels[p + 2]! += (table[tone + 2]! * light + shine - pixels[p + 2]!) * cover
    }
}
