import { notAnImage } from '@nifty/service-kit/images/image-format'
import { readImageHeader } from '@nifty/service-kit/images/image-header'
import { sharp } from '@nifty/service-kit/images/sharp'
import {
  type avatarSuffixes,
  COVER_RATIO,
  coverSuffix,
  coverWidths,
  type EncodedPicture,
  SMALL_AVATAR_SIDE,
  WIDEST_COVER,
} from './picture.ts'

const AVATAR_SIDE = 512
const ANIMATED_AVATAR_SIDE = 320
const DECODE_TIMEOUT_S = 20

/**
 * Encodes an upload as square WebPs of two sizes without metadata: decoded, rotated by its EXIF orientation, cropped.
 * Animations stay animated. Throws 400 `not_an_image` or `image_too_big`.
 */
export async function encodeAvatar(
  bytes: Buffer,
): Promise<EncodedPicture & Record<(typeof avatarSuffixes)[number], Buffer>> {
  const { width, height, frames } = await readImageHeader(bytes)

  const animated = frames > 1
  // A square that is never enlarged.
  const side = Math.min(animated ? ANIMATED_AVATAR_SIDE : AVATAR_SIDE, width, height)
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

/**
 * Encodes the middle of an upload as WebPs of all widths without metadata, three times as wide as high and never
 * enlarged. Of an animation the first frame: a moving band above a page distracts from the works. Throws 400
 * `not_an_image` or `image_too_big`.
 */
export async function encodeCover(bytes: Buffer): Promise<EncodedPicture> {
  await readImageHeader(bytes)
  try {
    const { width, height } = (await sharp(bytes, { limitInputPixels: false }).metadata()).autoOrient
    const widest = Math.min(WIDEST_COVER, width, height * COVER_RATIO)
    const { data, info } = await sharp(bytes, { limitInputPixels: false })
      .autoOrient()
      .resize(widest, Math.max(1, Math.round(widest / COVER_RATIO)), { fit: 'cover' })
      .toColourspace('srgb')
      .raw()
      .timeout({ seconds: DECODE_TIMEOUT_S })
      .toBuffer({ resolveWithObject: true })
    const encoded: EncodedPicture = {}
    for (const size of coverWidths)
      encoded[coverSuffix(size)] = await sharp(data, { raw: info })
        .resize(size, undefined, { withoutEnlargement: true })
        .webp({ quality: 78 })
        .toBuffer()
    return encoded
  } catch {
    throw notAnImage()
  }
}
