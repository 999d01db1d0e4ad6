import sharp from 'sharp'
import type { Drawing, Size } from './drawing.ts'
import { type FamilyName, families } from './families.ts'
import { bloom, lay, texture } from './finish.ts'
import { createRandom } from './random.ts'

export type WorkOfArt = { family: FamilyName; seed: number }

/** The image of a work as shapes and pixels; deterministic. */
export function drawWork({ family, seed }: WorkOfArt): Drawing {
  const random = createRandom(`${family} ${seed}`, seed)
  const { shapes, draw } = families[family]
  return draw(random, random.pick(shapes))
}

/** The long side of a work drawn in large, px. */
const LARGE = 2400

/** The image of a work as a JPEG: 1120 … 1200 px on its long side, or 2400 px in large. Throws for a large work of a raster family. */
export async function renderWork(work: WorkOfArt, { large = false } = {}): Promise<Buffer> {
  const drawing = drawWork(work)
  if (!large) return renderDrawing(drawing, drawing)
  if (families[work.family].raster) throw rasterError(work.family)
  const scale = LARGE / Math.max(drawing.width, drawing.height)
  return renderDrawing(drawing, {
    width: Math.round(drawing.width * scale),
    height: Math.round(drawing.height * scale),
  })
}

/** Three times as wide as high, as the store shows covers. */
const COVER: Size = { width: 1200, height: 400 }

/** The cover of an artist of this family as a JPEG of 2400 × 800 px; deterministic. Throws for a raster family. */
export async function renderCover(family: FamilyName): Promise<Buffer> {
  if (families[family].raster) throw rasterError(family)
  const drawing = families[family].draw(createRandom(`cover ${family}`), COVER)
  return renderDrawing(drawing, { width: LARGE, height: (LARGE * COVER.height) / COVER.width })
}

const rasterError = (family: FamilyName) => new Error(`Works of the family ${family} cannot be drawn larger`)

/** Draws an image in another size than it was designed for, if it has no pixels of its own. */
async function renderDrawing(drawing: Drawing, size: Size): Promise<Buffer> {
  const { finish } = drawing
  const { width, height } = size
  const vector = (content: string) => renderShapes(content, drawing, size)
  const rasterise = (content: string) => vector(content).ensureAlpha().raw().toBuffer()
  const pixels =
    drawing.pixels ??
    new Uint8ClampedArray(
      await vector(drawing.shapes ?? '')
        .removeAlpha()
        .raw()
        .toBuffer(),
    )
  if (drawing.pixels && drawing.shapes) lay(pixels, await rasterise(drawing.shapes), false, width)
  if (drawing.spray) lay(pixels, await rasterise(drawing.spray), true, width)
  drawing.disturb?.(pixels)
  if (finish.bloom) await bloom(pixels, size, finish.bloom)
  texture(pixels, size, finish)
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 86, chromaSubsampling: '4:2:0' })
    .toBuffer()
}

function renderShapes(content: string, design: Size, { width, height }: Size) {
  const viewBox = `0 0 ${design.width} ${design.height}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${viewBox}" preserveAspectRatio="none">${content}</svg>`
  return sharp(Buffer.from(svg), { unlimited: true })
}
