import { notAnImage, readImageHeader } from '@nifty/service-kit/uploads'
import sharp from 'sharp'

const SIDE = 512
const ANIMATED_SIDE = 320
const DECODE_TIMEOUT_S = 20

/**
 * Renders an upload as a square WebP without metadata: decoded, rotated by its EXIF orientation, cropped, re-encoded.
 * Animations stay animated.
 */
export async function renderAvatar(bytes: Buffer): Promise<Buffer> {
  const { width, height, frames } = await readImageHeader(bytes)

  const animated = frames > 1
  // A square that is never enlarged.
  const side = Math.min(animated ? ANIMATED_SIDE : SIDE, width, height)
  const image = sharp(bytes, { animated, limitInputPixels: false })
  try {
    return await (animated ? image : image.autoOrient())
      .resize(side, side, { fit: 'cover' })
      .webp(animated ? { quality: 75, effort: 1 } : { quality: 82 })
      .timeout({ seconds: DECODE_TIMEOUT_S })
      .toBuffer()
  } catch {
    throw notAnImage()
  }
}
