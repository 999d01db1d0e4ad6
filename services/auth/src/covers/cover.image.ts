import { notAnImage } from '@nifty/service-kit/images/image-format'
import { readImageHeader } from '@nifty/service-kit/images/image-header'
import { sharp } from '@nifty/service-kit/images/sharp'
import type { EncodedImage } from '../images/image.ts'
import { COVER_RATIO, coverSuffix, coverWidths, WIDEST_COVER } from './cover.ts'

const DECODE_TIMEOUT_S = 20

/**
 * Encodes the middle of an upload as WebPs of all widths without metadata, three times as wide as high and never enlarged.
 * Of an animation the first frame: a moving band above a page distracts from the works. Throws 400 `not_an_image` or
 * `image_too_big`.
 */
export async function encodeCover(bytes: Buffer): Promise<EncodedImage> {
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
    const encoded: EncodedImage = {}
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
