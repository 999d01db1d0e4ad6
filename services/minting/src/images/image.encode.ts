import { isSmallWork } from '@nifty/api/work-image'
import { type ImageFormat, imageFormatOf, notAnImage } from '@nifty/service-kit/images/image-format'
import { assertImageSize, readImageHeader } from '@nifty/service-kit/images/image-header'
import { sharp } from '@nifty/service-kit/images/sharp'
import type { Motion, Variant, Width } from './image.ts'
import { pngFrames } from './metadata/png.ts'
import { withoutMetadata } from './metadata/without-metadata.ts'

/** `color` is the dominant one, `#rrggbb`; sizes in pixels. */
type Master = {
  master: Buffer
  first: Buffer
  format: ImageFormat
  width: number
  height: number
  motion: Motion
  color: string
}

/** WebP has 14 bits for the height. */
const MAX_HEIGHT = 16_383

/**
 * The master of an upload, and its first width. The master is the upload without its metadata, with the data of its
 * picture byte for byte; only a JPEG with an orientation is encoded anew. Decodes all of it once. Throws 400
 * `not_an_image` or `image_too_big`.
 */
export async function makeMaster(upload: Buffer, { firstWidth }: { firstWidth: Width }): Promise<Master> {
  await readImageHeader(upload)
  const format = imageFormatOf(upload)!
  const stripped = withoutMetadata(upload, format)
  const master = format === 'jpeg' ? await upright(upload, stripped) : stripped
  const { width, height, frames } = await readImageHeader(master)
  if (format === 'png') assertImageSize({ width, height, frames: pngFrames(master) })
  const motion = frames > 1 ? 'animated' : 'still'
  try {
    await decode(master)
    const small = isSmallWork({ width, height })
    const first = await encodeVariant(master, { width: firstWidth, format: 'webp', motion: 'still', small })
    return { master, first, format, width, height, motion, color: await colorOf(first) }
  } catch {
    throw notAnImage()
  }
}

/** `stripped`, or where the EXIF of `upload` has an orientation, the turned picture. Both with their own colours. */
async function upright(upload: Buffer, stripped: Buffer): Promise<Buffer> {
  const { orientation = 1, space } = await sharp(upload).metadata()
  if (orientation < 2 || orientation > 8) return stripped
  const turned = await sharp(upload, { failOn: 'error' })
    .autoOrient()
    .pipelineColourspace(space)
    .toColourspace(space)
    .keepIccProfile()
    // Optimal codes would need 150 MB more for 25 megapixels.
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4', optimiseCoding: false })
    .toBuffer()
    .catch(() => Promise.reject(notAnImage()))
  return withoutMetadata(turned, 'jpeg')
}

/** Rejects for data that is cut off or damaged, in any frame. */
const decode = (image: Buffer) =>
  sharp(image, { animated: true, failOn: 'error' }).resize(8, 8, { fit: 'fill', kernel: 'nearest' }).raw().toBuffer()

/**
 * A display size in sRGB. Small works keep each pixel: their stills are enlarged by a whole factor. `master`: the file
 * or its path.
 */
export async function encodeVariant(
  master: Buffer | string,
  { width, format, motion, small }: Variant,
): Promise<Buffer> {
  const animated = motion === 'animated'
  const image = sharp(master, { animated })
  if (small) {
    const own = await image.metadata()
    const factor = animated ? 1 : Math.ceil(width / Math.max(own.width, own.height))
    return image
      .resize(own.width * factor, (own.pageHeight ?? own.height) * factor, { kernel: 'nearest', fit: 'fill' })
      .webp({ lossless: true, effort: 2 })
      .toBuffer()
  }
  const resized = image.resize({ width, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true })
  if (animated) return resized.webp({ quality: 80, effort: 1 }).toBuffer()
  return (
    format === 'avif' ? resized.avif({ quality: 50, effort: 1 }) : resized.webp({ quality: 80, effort: 3 })
  ).toBuffer()
}

async function colorOf(image: Buffer): Promise<string> {
  const small = await sharp(image).resize(64, 64, { fit: 'inside' }).flatten({ background: '#ffffff' }).png().toBuffer()
  const { r, g, b } = (await sharp(small).stats()).dominant
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
