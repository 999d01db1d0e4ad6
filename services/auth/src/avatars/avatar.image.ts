import sharp from 'sharp'
import { checkSize, formatOf, notAnImage } from './avatar.ts'

const SIDE = 512
const ANIMATED_SIDE = 320
const DECODE_WITHIN_S = 20

/**
 * Makes a picture of our own out of an upload: decoded, turned upright, cropped to a square, and encoded anew without
 * anything that came along with it. An animation stays one.
 */
export async function renderAvatar(bytes: Buffer): Promise<Buffer> {
  const format = formatOf(bytes)
  if (!format) throw notAnImage()
  const { width, height, frames } = await measure(bytes, format)
  checkSize({ width, height, frames })

  const animated = frames > 1
  // Never enlarged, and always as wide as high.
  const side = Math.min(animated ? ANIMATED_SIDE : SIDE, width, height)
  const picture = sharp(bytes, { animated, limitInputPixels: false })
  try {
    return await (animated ? picture : picture.autoOrient())
      .resize(side, side, { fit: 'cover' })
      .webp(animated ? { quality: 75, effort: 1 } : { quality: 82 })
      .timeout({ seconds: DECODE_WITHIN_S })
      .toBuffer()
  } catch {
    throw notAnImage()
  }
}

async function measure(bytes: Buffer, format: string) {
  const found = await sharp(bytes, { animated: true, limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (found?.format !== format) throw notAnImage()
  return { width: found.width, height: found.pageHeight ?? found.height, frames: found.pages ?? 1 }
}
