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

/** The image of a work as a JPEG, 1120 … 1200 px on its long side. */
export async function renderWork(work: WorkOfArt): Promise<Buffer> {
  return renderDrawing(drawWork(work))
}

async function renderDrawing(drawing: Drawing): Promise<Buffer> {
  const { width, height, finish } = drawing
  const pixels =
    drawing.pixels ??
    new Uint8ClampedArray(
      await vector(drawing, drawing.shapes ?? '')
        .removeAlpha()
        .raw()
        .toBuffer(),
    )
  if (drawing.pixels && drawing.shapes) lay(pixels, await rasterise(drawing, drawing.shapes), false, width)
  if (drawing.spray) lay(pixels, await rasterise(drawing, drawing.spray), true, width)
  drawing.disturb?.(pixels)
  if (finish.bloom) await bloom(pixels, drawing, finish.bloom)
  texture(pixels, drawing, finish)
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 86, chromaSubsampling: '4:2:0' })
    .toBuffer()
}

const rasterise = (size: Size, content: string) => vector(size, content).ensureAlpha().raw().toBuffer()

function vector({ width, height }: Size, content: string) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`
  return sharp(Buffer.from(svg), { unlimited: true })
}
