import { notAnImage } from '@nifty/service-kit/images/image-format'
import { readImageHeader } from '@nifty/service-kit/images/image-header'
import { sharp } from '@nifty/service-kit/images/sharp'
import type { EncodedImage } from '../images/image.ts'
import { type avatarSuffixes, SMALL_AVATAR_SIDE } from './avatar.ts'

const SIDE = 512
const ANIMATED_SIDE = 320
const DECODE_TIMEOUT_S = 20

/**
 * Renders an upload as square WebPs of two sizes without metadata: decoded, rotated by its EXIF orientation, cropped, re-encoded.
 * Animations stay animated.
 */
export async function renderAvatar(
  bytes: Buffer,
): Promise<EncodedImage & Record<(typeof avatarSuffixes)[number], Buffer>> {
  const { width, height, frames } = await readImageHeader(bytes)

  const animated = frames > 1
  // A square that is never enlarged.
  const side = Math.min(animated ? ANIMATED_SIDE : SIDE, width, height)
  const image = sharp(bytes, { animated, limitInputPixels: false })
  try {
    const large = await (animated ? image : image.autoOrient())
      .resize(side, side, { fit: 'cover' })
      .webp(animated ? { quality: 75, effort: 1 } : { quality: 82 })
      .timeout({ seconds: DECODE_TIMEOUT_S })
      .toBuffer()
    const small = await sharp(large, { animated })
      .resize(SMALL_AVATAR_SIDE, SMALL_AVATAR_SIDE, { withoutEnlargement: true })
      .webp(animated ? { quality: 75, effort: 1 } : { quality: 80 })
      .toBuffer()
    return { '-s': small, '': large }
  } catch {
    throw notAnImage()
  }
}
